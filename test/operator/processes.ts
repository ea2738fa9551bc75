import type { Test } from 'tap';
import { define } from '../catalog/watching-app.ts';
import { type KubeApiServer, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { type RunningProcess, runMain } from '../process.ts';
import { until } from '../programs/until.ts';

/** How long anything may take, in milliseconds; far longer than a lease lasts. */
export const SEEN_MS = 60_000;

export type Replica = RunningProcess & { url: string };

/** An API server, and two users of it by whom two processes can be told apart. */
export async function twoUsers(t: Test): Promise<{ server: KubeApiServer; start: (user: string) => Promise<Replica> }> {
  const kubeconfigs = new Map<string, string>();
  const server = await startKubeApiServer(t, async (prepared) => {
    for (const user of ['one', 'two']) kubeconfigs.set(user, await prepared.addUser(user, ['system:masters']));
  });
  await define(server);
  const dir = t.testdir();
  const start = (user: string) => {
    const KUBECONFIG = kubeconfigs.get(user) ?? '';
    return runMain(t, { CATALOG_SOURCES: 'kubernetes', KUBECONFIG, DATA_DIR: `${dir}/${user}` });
  };
  return { server, start };
}

export async function operatorOf({ url }: Replica): Promise<{ leader: boolean; identity: string; holder?: string }> {
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5000) });
  const { dependencies } = JSON.parse(await response.text());
  return dependencies.operator;
}

export async function untilLeads(replica: Replica): Promise<void> {
  await untilSeen(async () => (await operatorOf(replica)).leader, 'that it leads');
}

export async function untilSeen(condition: () => Promise<boolean>, what: string): Promise<void> {
  await until(condition, SEEN_MS, (cause) => new Error(`${what} is never seen`, { cause }));
}
