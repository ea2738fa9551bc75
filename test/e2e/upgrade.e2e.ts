import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { cluster, image } from '../../hack/kind/settings.mjs';
import { ask } from './desk.ts';
import { install, installed } from './installed.ts';
import { Load } from './load.ts';
import { missingFromStream } from './redis.ts';
import { run } from './run.ts';

const CONNECTIONS = 16;
const Health = Type.Object({ version: Type.String(), commit: Type.String() });
const next = { tag: `${image.tag}-next`, commit: 'the-next-one' };

/** The same image with another tag, and another commit stamped. */
async function loadNext(): Promise<void> {
  const [now, then] = [image.tag, next.tag].map((tag) => `${image.repository}:${tag}`);
  const dockerfile = `FROM ${now}\nENV BUILD_COMMIT=${next.commit}\n`;
  await run('docker', ['build', '--tag', String(then), '-'], { input: dockerfile });
  await run('kind', ['load', 'docker-image', '--name', cluster, String(then)]);
}

test('an upgrade under load fails no request, and the new version serves', async (t) => {
  await loadNext();
  await installed(t);
  const { version, commit } = await health();
  t.not(commit, next.commit);
  const load = await Load.start(t, { connections: CONNECTIONS });
  const before = load.outcome.acknowledged.length;
  await install('--set-string', `image.tag=${next.tag}`);
  // The pods before serve on for a while after those in their place are ready.
  await load.more(CONNECTIONS * 50);
  const { acknowledged, refused, broken } = await load.stop();
  t.comment(`${acknowledged.length - before} messages during the upgrade`);
  t.same({ refused, broken }, { refused: [], broken: [] }, 'no request failed');
  t.same(await missingFromStream(acknowledged), [], 'all that was acknowledged is in the stream');
  const served = await Promise.all(Array.from({ length: 20 }, health));
  t.same(new Set(served.map((build) => build.commit)), new Set([next.commit]));
  t.equal(served[0]?.version, version);
});

/** What one of the pods says of its build. */
async function health() {
  return Value.Parse(Health, (await ask('/health')).body);
}
