import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { ask, authorization } from './desk.ts';
import { installed } from './installed.ts';
import { Load } from './load.ts';
import { forceDelete, killProcess, rolledOut } from './pods.ts';
import { missingFromStream } from './redis.ts';
import { kubectl } from './run.ts';
import { wait } from './wait.ts';

const CONNECTIONS = 8;
const redis = ['--namespace', namespace, 'scale', 'statefulset/frontdesk-redis'];

test('while Redis is away messages are refused with 503 and claims go out; then all is there again', async (t) => {
  await installed(t);
  t.teardown(() => kubectl(...redis, '--replicas=1'));
  const load = await Load.start(t, { connections: CONNECTIONS });
  const before = load.outcome.acknowledged.length;

  // It has no time to write anything, and does not come back until it is told to.
  await killProcess('frontdesk-redis-0');
  await kubectl(...redis, '--replicas=0');
  await forceDelete('frontdesk-redis-0').catch((error: Error) => t.match(error.message, /NotFound/));
  await wait('messages are refused by every client', async () => load.outcome.refused.length >= CONNECTIONS * 10);

  const pitch = await ask('/pitch', { name: 'x', payload: {} }, await authorization());
  t.equal(pitch.status, 503);
  t.match(pitch.headers.get('retry-after'), /^[1-9]\d*$/);
  const ready = await ask('/ready');
  t.equal(ready.status, 503);
  t.match(ready.body, { dependencies: { store: { status: 'down' }, catalog: { status: 'up' } } });
  t.equal((await ask('/ready?exclude=store')).status, 200);
  const order = await ask('/api/v1/claim-templates/volumeclaim/order', { parameters: { storage: '1Gi' } });
  t.equal(order.status, 200, 'claims go out');
  await rolledOut();

  await kubectl(...redis, '--replicas=1');
  await load.more(CONNECTIONS * 20);
  await wait('the service is ready', async () => (await ask('/ready')).status === 200);
  const { acknowledged, refused, broken } = await load.stop();
  t.comment(
    `${before} acknowledged before, ${refused.length} refused, ${acknowledged.length - before} acknowledged after`,
  );
  t.same(await missingFromStream(acknowledged), [], 'all that was acknowledged is in the stream');
  t.same(broken, [], 'each request was answered');
  t.ok(
    refused.every(({ status }) => status === 503),
    'none with anything else than 503',
  );
  t.ok(
    refused.every(({ retryAfter }) => Number(retryAfter) >= 1),
    'and when to try again',
  );
});
