import type { Test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { collect } from './collect.ts';
import { rolledOut, serverPods } from './pods.ts';
import { kubectl, run } from './run.ts';
import { wait } from './wait.ts';

const INSTALL_MS = 330_000;

/**
 * The release as `npm run kind:install` makes it, with these arguments to helm and none of an earlier test, once all of it
 * serves. When the test fails, what the cluster can tell about it is kept.
 */
export async function installed(t: Test, ...helmArgs: string[]): Promise<void> {
  t.teardown(async () => {
    if (!t.passing()) t.comment(`What the cluster tells: ${await collect(t.name)}`);
  });
  await install(...helmArgs);
  await rolledOut();
  await wait('every pod is ready, and Redis for every pod', async () => {
    const pods = await serverPods();
    await Promise.all(pods.map(ready));
    return pods.length > 0;
  });
}

/** Installs the release, or makes it what these arguments to helm say; returns when new pods are in service. */
export const install = (...helmArgs: string[]): Promise<string> =>
  run('node', ['hack/kind/install.mjs', ...helmArgs], { limitMs: INSTALL_MS });

/** What this very pod says of itself, whatever the Service leads to. Rejects unless it is 200. */
const ready = (pod: string): Promise<string> =>
  kubectl('get', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}:8080/proxy/ready`);
