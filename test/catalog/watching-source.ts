import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { KubernetesSource, type KubernetesSourceOptions } from '../../src/catalog/kubernetes-source.ts';
import { loadKubeConfig } from '../../src/kubernetes/kube-config.ts';
import { auditedGroup } from '../kubernetes/audit-log.ts';
import { type KubeApiServer, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { type Relay, startRelay } from '../redis/relay.ts';
import { define, untilSeen } from './watching-app.ts';

const READER = 'reader';

/** A source of ClaimTemplates, and what it told. */
export interface WatchingSource {
  source: KubernetesSource;
  /** Titles of all templates it told of last, by name. */
  titles: () => Record<string, string | undefined>;
  /** What it wrote to the log about its connection: the reasons why there is none, and undefined for one. */
  connections: (string | undefined)[];
}

export interface AuditedCluster {
  server: KubeApiServer;
  /** Of a user whose calls are all in the audit log; what they may do is for the test to say. */
  kubeconfig: string;
  /** How often that user listed and watched templates with success. */
  calls: () => Promise<{ lists: number; watches: number }>;
}

/** An API server that knows ClaimTemplates, and writes down each call of a reader. */
export async function auditedCluster(t: Test): Promise<AuditedCluster> {
  let kubeconfig = '';
  const server = await startKubeApiServer(t, async (prepared) => {
    kubeconfig = await prepared.addUser(READER, [auditedGroup]);
  });
  await define(server);
  const calls = async () => {
    const own = (await server.auditLog()).filter(({ user, code }) => user === READER && code === 200);
    const count = (verb: string) => own.filter((call) => call.verb === verb).length;
    return { lists: count('list'), watches: count('watch') };
  };
  return { server, kubeconfig, calls };
}

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: READER, namespace: 'default' } };

/** Lets the reader list and watch templates. */
export async function grant(server: KubeApiServer): Promise<void> {
  const rules = [{ apiGroups: ['frontdesk.dev'], resources: ['claimtemplates'], verbs: ['list', 'watch'] }];
  const apiGroup = 'rbac.authorization.k8s.io';
  const roleRef = { apiGroup, kind: 'Role', name: READER };
  const subjects = [{ apiGroup, kind: 'User', name: READER }];
  await server.apply({ ...rbac, kind: 'Role', rules }, { ...rbac, kind: 'RoleBinding', roleRef, subjects });
}

export async function revoke(server: KubeApiServer): Promise<void> {
  await server.kubectl(['delete', 'rolebinding', READER]);
}

/** A source of the templates in the namespace `default`, put together as the server does, but for times and limits. */
export async function startSource(
  t: Pick<Test, 'teardown'>,
  kubeconfig: string,
  options: Pick<KubernetesSourceOptions, 'maxTemplates' | 'times'>,
): Promise<WatchingSource> {
  let titles: Record<string, string | undefined> = {};
  const connections: (string | undefined)[] = [];
  const log = (told: { reason?: string }) => connections.push(told.reason);
  const source = new KubernetesSource({
    config: loadKubeConfig(kubeconfig),
    namespaces: ['default'],
    onChange: ({ templates }) => {
      titles = Object.fromEntries(
        templates
          .map(({ template: { metadata } }) => [metadata.name, metadata.title] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    },
    clock: Date.now,
    random: Math.random,
    log: { info: log, warn: log },
    ...options,
  });
  t.teardown(() => source.close());
  await source.start();
  return { source, titles: () => titles, connections };
}

export async function untilTold({ titles }: WatchingSource, expected: Record<string, string>): Promise<void> {
  const wanted = JSON.stringify(expected);
  await untilSeen(async () => JSON.stringify(titles()) === wanted, wanted);
}

export async function untilFailure({ source }: WatchingSource, reason: RegExp): Promise<void> {
  await untilSeen(async () => reason.test(source.failure ?? ''), String(reason));
}

/** What stands between an API server and those who use the kubeconfig. */
export async function relayed(
  t: Pick<Test, 'teardown'>,
  { port, dir }: KubeApiServer,
  kubeconfig: string,
): Promise<{ relay: Relay; kubeconfig: string }> {
  const relay = await startRelay(t, { host: '127.0.0.1', port });
  const path = join(dir, 'relayed.kubeconfig');
  const text = await readFile(kubeconfig, 'utf8');
  await writeFile(path, text.replace(`127.0.0.1:${port}`, `${relay.host}:${relay.port}`), { mode: 0o600 });
  return { relay, kubeconfig: path };
}
