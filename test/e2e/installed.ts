import type { Test } from 'tap';
import { collect } from './collect.ts';
import { ask } from './desk.ts';
import { run } from './run.ts';
import { wait } from './wait.ts';

const INSTALL_MS = 330_000;

/**
 * The release as `npm run kind:install` makes it, with these arguments to helm and none of an earlier test, once it serves.
 * When the test fails, what the cluster can tell about it is kept.
 */
export async function installed(t: Test, ...helmArgs: string[]): Promise<void> {
  t.teardown(async () => {
    if (!t.passing()) t.comment(`What the cluster tells: ${await collect(t.name)}`);
  });
  await run('node', ['hack/kind/install.mjs', ...helmArgs], { limitMs: INSTALL_MS });
  await wait('the Service serves', async () => (await ask('/ready')).status === 200);
}
