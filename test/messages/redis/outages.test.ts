import fc from 'fast-check';
import { test } from 'tap';
import { connectionProblem } from '../../../src/messages/redis/connection-problem.ts';
import { reconnectPause } from '../../../src/messages/redis/redis-options.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { connect, connected, soon, startSilent } from './connected-client.ts';

const MAX_PAUSE_MS = 1000;

test('pauses double from attempt to attempt up to a second, and are spread by chance', (t) => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (attempt, random) => {
      const longest = Math.min(50 * 2 ** (attempt - 1), MAX_PAUSE_MS);
      const pause = reconnectPause(() => random)(attempt);
      return longest / 2 <= pause && pause <= longest;
    }),
  );
  t.not(reconnectPause(() => 0)(1), reconnectPause(() => 0.9)(1));
  t.end();
});

test('attempts to reach a server that is absent follow these pauses', async (t) => {
  const server = await startRedis(t);
  await server.kill();
  const { pauses } = connect(t, server, { random: () => 0 });
  await soon(() => pauses().length >= 4, 'a fourth attempt');
  t.same(pauses().slice(0, 4), [25, 50, 100, 200]);
});

test('an outage is told once for each reason, and its end too', async (t) => {
  const server = await startRedis(t);
  await server.kill();
  const { client, reasons, recoveries, pauses } = connect(t, server);
  for (let outage = 1; outage <= 2; outage++) {
    const attempts = pauses().length;
    await soon(() => pauses().length >= attempts + 4, 'another attempt');
    t.equal(reasons().filter((reason) => reason === `connect ECONNREFUSED 127.0.0.1:${server.port}`).length, outage);
    await server.start();
    await connected(client);
    t.equal(recoveries(), outage);
    await server.kill();
  }
});

test('a password that a server repeats in its error is not told', async (t) => {
  const old = await startSilent(t, "-ERR unknown command 'auth', with args beginning with: 'secret' \r\n");
  const { reasons } = connect(t, old, { password: 'secret' });
  await soon(() => reasons().length > 0, 'a reason');
  t.same(reasons(), ["ERR unknown command 'auth'"]);
});

test('of a name with several addresses each is told', (t) => {
  const refused = ['connect ECONNREFUSED ::1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'];
  const error = new AggregateError(refused.map((message) => new Error(message)));
  t.equal(connectionProblem(error), refused.join(', '));
  t.end();
});
