import { join } from 'node:path';
import { type Test, test } from 'tap';
import { token } from '../../app.ts';
import { run } from '../../process.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { type AppOnRedis, appOnRedis, password, toldNoSecret } from './app-on-redis.ts';
import { isDown } from './is-down.ts';

/** `ACL SETUSER frontdesk …`: all that an ACL user of Frontdesk needs on one server, for the stream `messages`. */
const rules = [
  ...['~messages', '~frontdesk:{messages}:*'],
  ...['+info', '+client|setname', '+eval', '+memory|usage'],
  ...['+xadd', '+xlen', '+xrange', '+xtrim', '+time'],
  ...['+get', '+set', '+exists', '+expire', '+pexpire', '+pttl', '+persist', '+del'],
  ...['+hget', '+hset', '+hgetall', '+sadd', '+scard', '+sismember'],
  ...['+zadd', '+zrange', '+zremrangebyscore'],
];

test('by TLS with an authority of its own, an ACL user who may do no more than is needed is enough', async (t) => {
  const { ca, settings } = await makeCertificates(t);
  const server = await startRedis(t, settings);
  await server.cli('ACL', 'SETUSER', 'frontdesk', 'on', `>${password}`, ...rules);
  for (const host of ['127.0.0.1', 'localhost']) {
    const service = await appByUrl(t, `rediss://frontdesk:${encodeURIComponent(password)}@${host}:${server.port}`, ca);
    await usesAll(t, service);
    toldNoSecret(t, service);
  }
  t.equal(await server.cli('ACL', 'LOG'), '', 'nothing was refused');
  const used = await server.cli('INFO', 'commandstats');
  for (const rule of rules.filter((rule) => rule.startsWith('+'))) {
    t.match(used, `cmdstat_${rule.slice(1)}:`, `${rule} is needed`);
  }
});

test('a server whose certificate is of another authority is not spoken to, which is told', async (t) => {
  const { settings } = await makeCertificates(t);
  const { ca } = await makeCertificates(t);
  const server = await startRedis(t, settings);
  for (const trusted of [ca, '']) {
    const service = await appByUrl(t, `rediss://127.0.0.1:${server.port}`, trusted);
    await isDown(t, service, /self-signed certificate|unable to verify/);
  }
});

test('a server whose certificate is made out to another name is not spoken to, which is told', async (t) => {
  const { ca, settings } = await makeCertificates(t, 'DNS:redis.example');
  const server = await startRedis(t, settings);
  const service = await appByUrl(t, `rediss://localhost:${server.port}`, ca);
  await isDown(t, service, /Hostname\/IP does not match certificate's altnames/);
});

test('without TLS where the server has it, or the other way round, the reason is told', async (t) => {
  const { ca, settings } = await makeCertificates(t);
  const secure = await startRedis(t, settings);
  const open = await startRedis(t);
  await isDown(t, await appByUrl(t, `redis://127.0.0.1:${secure.port}`), /ECONNRESET, the server may speak TLS only/);
  const greeting = await appByUrl(t, `rediss://127.0.0.1:${open.port}`, ca);
  await isDown(t, greeting, /ETIMEDOUT, the server may not speak TLS/);
});

test('a file that is missing or has no certificate ends the start, naming STREAM_TLS_CA', async (t) => {
  const dir = t.testdir({ 'empty.crt': '' });
  for (const name of ['missing.crt', 'empty.crt']) {
    const file = join(dir, name);
    const env = { AUTH_TOKEN: token, STREAM_URL: 'rediss://:secret@127.0.0.1', STREAM_TLS_CA: file };
    const { exited, output } = run(t, 'src/main.ts', { ...env, PORT: '0' });
    t.equal(await exited, 1);
    t.match(output().stderr, `STREAM_TLS_CA: no certificate can be read from ${file}: `);
    t.notMatch(output().stderr, /secret/);
  }
});

function appByUrl(t: Test, url: string, ca = ''): Promise<AppOnRedis> {
  const env = { STREAM_ADDR: '', STREAM_PASSWORD: '', STREAM_URL: url, STREAM_TLS_CA: ca };
  return appOnRedis(t, { host: '', port: 1 }, env);
}

/** Does everything that needs Redis. */
async function usesAll(t: Test, service: AppOnRedis): Promise<void> {
  await service.untilReady();
  for (const key of [undefined, 'key', 'key']) t.match(await service.pitch('by TLS', key), { statusCode: 200 });
  for (const path of ['/analytics/summary?window=all', '/analytics/systems?window=90m']) {
    t.match(await service.get(path), { statusCode: 200 });
  }
  t.match((await service.get('/metrics')).body, /^frontdesk_stream_bytes [1-9]/m);
}
