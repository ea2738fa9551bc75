import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'tap';
import { authorized } from '../app.ts';
import { runMain } from '../process.ts';

const CLIENTS = 8;
/** Requests of each client before the signal, and after it learned that the server stops. */
const ROUNDS = 20;

interface Answer {
  status: number | undefined;
  connection: string | undefined;
  body: string;
}

test('after a stop signal clients are served for SHUTDOWN_DELAY, and told to take another connection', async (t) => {
  const { child, url, exited, output } = await runMain(t, { SHUTDOWN_DELAY: '10m' });
  const isBusy = Promise.withResolvers<void>();
  let served = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    const answers: Answer[] = [];
    while (answers.filter(isLast).length < ROUNDS) {
      answers.push(await pitch(url, agent));
      if (++served === CLIENTS * ROUNDS) isBusy.resolve();
    }
    return answers;
  });
  await isBusy.promise;
  child.kill('SIGTERM');

  for (const answers of await Promise.all(clients)) {
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'no request failed');
    t.notOk(answers[0] && isLast(answers[0]), 'connections were kept before');
    t.ok(answers.slice(answers.findIndex(isLast)).every(isLast), 'none is kept from then on');
  }
  const { status, body } = await answerOf(`${url}/ready`);
  t.equal(status, 503);
  t.match(JSON.parse(body), { status: 'stopping', dependencies: { store: { status: 'up' } } });
  t.equal((await answerOf(`${url}/health`)).status, 200);

  child.kill('SIGTERM');
  t.equal(await exited, 1, 'a second signal ends it at once');
  t.match(output().stdout, /second SIGTERM/);
});

test('when SHUTDOWN_DELAY is over the process ends with 0', async (t) => {
  const { child, url, exited } = await runMain(t, { SHUTDOWN_DELAY: '300ms' });
  t.equal((await answerOf(`${url}/health`)).status, 200);
  const stopped = performance.now();
  child.kill('SIGTERM');
  t.equal(await exited, 0);
  // Timers count whole milliseconds.
  t.ok(performance.now() - stopped >= 299);
});

const isLast = ({ connection }: Answer) => connection === 'close';

function pitch(url: string, agent: Agent): Promise<Answer> {
  const options = { method: 'POST', agent, headers: authorized };
  return answerOf(`${url}/pitch`, options, JSON.stringify({ name: 'x', payload: {} }));
}

async function answerOf(url: string, options: Parameters<typeof request>[1] = {}, body = ''): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(url, options, resolve).on('error', reject).end(body);
  const response = await promise;
  return { status: response.statusCode, connection: response.headers.connection, body: await text(response) };
}
