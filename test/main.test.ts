import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'tap';
import { authorized, token } from './app.ts';
import { run, runMain } from './process.ts';

test('without AUTH_TOKEN the process refuses to start, and names it', async (t) => {
  const { exited, output } = run(t, 'src/main.ts', {});
  t.equal(await exited, 1);
  t.equal(output().stderr, 'AUTH_TOKEN is required\n');
  t.equal(output().stdout, '');
});

test('bad values end the start with one line per problem', async (t) => {
  const { exited, output } = run(t, 'src/main.ts', { PORT: 'http', STREAM_MAXLEN: '0', AUTH_TOKEN: 'secret token' });
  t.equal(await exited, 1);
  const lines = output().stderr.trimEnd().split('\n');
  t.equal(lines.length, 3);
  for (const name of ['AUTH_TOKEN', 'PORT', 'STREAM_MAXLEN'])
    t.ok(
      lines.some((line) => line.startsWith(`${name}: `)),
      name,
    );
  t.notMatch(output().stderr, /secret token/);
});

test('a port that is taken, or a data folder that cannot be made, ends the start with its reason', async (t) => {
  const { url } = await runMain(t);
  const { port } = new URL(url);
  const dataDir = t.testdir({ file: '' });
  const taken = run(t, 'src/main.ts', {
    AUTH_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: `${dataDir}/data`,
  });
  t.equal(await taken.exited, 1);
  t.match(taken.output().stderr, new RegExp(`EADDRINUSE.*${port}`));
  const noFolder = run(t, 'src/main.ts', { AUTH_TOKEN: token, PORT: '0', DATA_DIR: `${dataDir}/file/data` });
  t.equal(await noFolder.exited, 1);
  t.match(noFolder.output().stderr, /file\/data/);
});

test('on SIGTERM requests in flight finish, and the process ends with 0', async (t) => {
  const { child, url, exited } = await runMain(t);
  const body = JSON.stringify({ name: 'last words', payload: {} });
  const pending = request(`${url}/pitch`, {
    method: 'POST',
    headers: { ...authorized, 'content-length': body.length },
  });
  pending.write(body.slice(0, 10));
  await once(pending, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'));
  // The server has the request once its own answer to another one on a later connection is here.
  t.equal((await fetch(`${url}/health`)).status, 200);
  child.kill('SIGTERM');
  await refused(url);
  pending.end(body.slice(10));
  const [response] = await once(pending, 'response');
  t.equal(response.statusCode, 200);
  t.equal(await exited, 0);
});

test('SIGINT ends an idle process with 0 as well', async (t) => {
  const { child, exited } = await runMain(t);
  child.kill('SIGINT');
  t.equal(await exited, 0);
});

test('clients that send slowly or nothing hold up no one else', async (t) => {
  const { url } = await runMain(t);
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const socket = connect(Number(port), hostname);
      t.teardown(() => socket.destroy());
      await once(socket, 'connect');
      if (i % 2) socket.write('POST /pitch HTTP/1.1\r\nhost: x\r\ncontent-le');
      return socket;
    }),
  );
  t.equal((await fetch(`${url}/health`)).status, 200);
  t.equal(sockets.filter(({ destroyed }) => destroyed).length, 0);
});

/** Resolves when new connections are no longer taken. */
async function refused(url: string): Promise<void> {
  while (
    await fetch(`${url}/health`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    )
  ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
