import { Redis } from 'ioredis';
import { test } from 'tap';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { type AppOnRedis, appOnRedis, password, toldNoSecret } from './app-on-redis.ts';
import { analyticsAreDown, isDown, isUpAgain } from './is-down.ts';

const durable = { requirepass: password, appendonly: 'yes', appendfsync: 'always' };
const rounds = 3;
const clients = 16;
const acknowledgedPerRound = 200;

test('with Redis absent at the start the service starts, says so, and serves as soon as Redis does', async (t) => {
  const server = await startRedis(t, { requirepass: password });
  await server.kill();
  const service = await appOnRedis(t, server);
  const reason = new RegExp(`connect ECONNREFUSED 127\\.0\\.0\\.1:${server.port}`);
  await isDown(t, service, reason);
  await analyticsAreDown(t, service);
  t.match(service.log(), reason);
  await server.start();
  await isUpAgain(t, service);
  toldNoSecret(t, service);
});

test('killed and restarted in mid-load, Redis has every acknowledged message once, and no other twice', async (t) => {
  const server = await startRedis(t, durable);
  const service = await appOnRedis(t, server);
  await service.untilReady();
  const acknowledged = new Map<string, string>();
  for (let round = 1; round <= rounds; round++) {
    const load = pitchUntil(service, round, acknowledged);
    await load.started;
    await server.kill();
    await isDown(t, service, new RegExp(`ECONNREFUSED 127\\.0\\.0\\.1:${server.port}`));
    await analyticsAreDown(t, service);
    await server.start();
    await service.untilReady();
    await load.finish();
  }
  const idsByName = Map.groupBy(await entriesOf(t, server), ({ name }) => name);
  const wrong = [...acknowledged].filter(([name, id]) => {
    const entries = idsByName.get(name) ?? [];
    return entries.length !== 1 || entries[0]?.id !== id;
  });
  t.ok(acknowledged.size >= rounds * acknowledgedPerRound);
  t.same(wrong, []);
  t.same(
    [...idsByName].filter(([, entries]) => entries.length > 1),
    [],
  );
  await isUpAgain(t, service);
  toldNoSecret(t, service);
});

test('while Redis hangs requests fail with an unknown outcome, and each sent again finds its first entry', async (t) => {
  const server = await startRedis(t, durable);
  const service = await appOnRedis(t, server);
  await service.untilReady();
  server.pause();
  const names = Array.from({ length: 20 }, (_, i) => `message-${i}`);
  const pitchAll = (attempt: number) => Promise.all(names.map((name) => service.pitch(name, name, { attempt })));
  for (const answer of await pitchAll(1)) {
    t.equal(answer.statusCode, 503);
    t.match(answer.json().message, /no answer within the time limit, outcome unknown$/);
  }
  await isDown(t, service, /no answer|Socket timeout/);
  await analyticsAreDown(t, service);
  t.match(service.log(), /"reason":"[^"]*outcome unknown".*request failed/);

  server.resume();
  await service.untilReady();
  const again = await pitchAll(2);
  t.match(
    again,
    names.map(() => ({ statusCode: 200 })),
  );
  const entries = await entriesOf(t, server);
  t.same(
    entries.filter(({ name }) => name.startsWith('message-')).map(({ id, name, payload }) => ({ id, name, payload })),
    again.map((answer, i) => ({ id: answer.json().objectID, name: names[i], payload: '{"attempt":1}' })),
  );
  await isUpAgain(t, service);
  toldNoSecret(t, service);
});

/** Clients that pitch messages of their own, every second with a key; those with one are sent again until they are stored. */
function pitchUntil(service: AppOnRedis, round: number, acknowledged: Map<string, string>) {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const enough = acknowledged.size + acknowledgedPerRound;
  let finishing = false;
  const client = async (number: number) => {
    for (let i = 0; !finishing; i++) {
      const name = `${round}-${number}-${i}`;
      const id = i % 2 === 0 ? await pitchStubbornly(service, name) : await pitchOnce(service, name);
      if (id !== undefined) acknowledged.set(name, id);
      if (acknowledged.size >= enough) resolve();
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const finish = async () => {
    finishing = true;
    await all;
  };
  return { started, finish };
}

/** @returns the entry id, if it was stored. */
async function pitchOnce({ pitch }: AppOnRedis, name: string, key?: string): Promise<string | undefined> {
  return (await pitch(name, key)).json().objectID;
}

async function pitchStubbornly(service: AppOnRedis, name: string): Promise<string> {
  for (;;) {
    const id = await pitchOnce(service, name, name);
    if (id !== undefined) return id;
  }
}

async function entriesOf(t: { teardown(end: () => void): void }, server: RedisServer) {
  const client = new Redis(server.url);
  t.teardown(() => client.disconnect());
  const entries = await client.xrange('messages', '-', '+');
  return entries.map(([id, fields]) => {
    const field = (name: string) => fields[fields.indexOf(name) + 1] ?? '';
    return { id, name: field('name'), payload: field('payload') };
  });
}
