import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { listenApp, token } from '../../app.ts';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { until } from '../../programs/until.ts';
import { dataFolder } from '../data-folder.ts';
import { runFrontdesk, startFrontdesk } from '../run-frontdesk.ts';
import { skipWithoutTmux, Terminal } from '../terminal.ts';

const LIMIT_MS = 20_000;

/** A service, and the command in the environment of somebody who may use it. */
async function atService(t: Test) {
  const { url } = await listenApp(t, { DATA_DIR: await dataFolder(t) });
  const dir = t.testdir({});
  const env = { CLAIM_API_URL: url, FRONTDESK_TOKEN: token };
  const run = (args: readonly string[], input = '') => runFrontdesk(dir, args, { env, input });
  const stats = async () => JSON.parse((await run(['stats', '--json'])).stdout);
  return { url, dir, env, run, stats };
}

test('a message is sent with all that flags say of it, and counted', async (t) => {
  const { run, stats } = await atService(t);
  const flags = ['--severity', 'critical', '--system', 'node-3', '--tag', 'disk', '--tag', 'prod'];
  const sent = await run(['pitch', '--title', 'Disk almost full', ...flags]);
  t.match(sent, { code: 0, stdout: /^enqueued as \d+-\d+\n$/, stderr: '' });
  t.match(JSON.parse((await run(['pitch', '--name', 'note', '--json'])).stdout), { status: 'success', objectID: /-/ });
  t.match(await stats(), {
    summary: { totalMessages: 2, severityCounts: { critical: 1, info: 1 }, timeWindow: '24h' },
    systems: { total: 2 },
    alerts: { totalAlerts: 1, topSystems: [{ system: 'node-3', count: 1 }] },
  });
});

/** A service that keeps what it is sent, and answers by `status`, the first time by the first. */
async function recorder(t: Test, statuses: readonly number[] = [200]) {
  const received: { key: string | undefined; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    received.push({ key: request.headers['idempotency-key']?.toString(), body: JSON.parse(body) });
    response.statusCode = statuses[received.length - 1] ?? 200;
    response.end(JSON.stringify({ status: 'success', message: 'Message enqueued', objectID: '1-0' }));
  });
  return { received, env: { CLAIM_API_URL: `http://${await listenOnLoopback(t, server)}` } };
}

test('the text of a message, or its content, comes from standard input; flags win', async (t) => {
  const { received, env } = await recorder(t);
  const dir = t.testdir({});
  const run = (args: string[], input: string) => runFrontdesk(dir, ['pitch', '--name', 'n', ...args], { env, input });
  t.match(await run(['--message', '-'], 'line one\nline two\n'), { code: 0 });
  t.match(
    await run(['--payload-file', '-', '--severity', 'error', '--repository', 'infra'], 'severity: info\nsize: 3'),
    {
      code: 0,
    },
  );
  t.same(
    received.map(({ body }) => body),
    [
      { name: 'n', payload: { message: 'line one\nline two\n' } },
      { name: 'n', repository: 'infra', payload: { severity: 'error', size: 3 } },
    ],
  );
  t.match(await run(['--message', '-', '--payload-file', '-'], ''), { code: 2, stderr: /one standard input/ });
  t.match(await run(['--payload-file', '-'], '[1]'), { code: 2, stderr: /it is no object/ });
  t.match(await run(['--payload-file', '-'], '{'), { code: 2, stderr: /--payload-file -: / });
  t.match(await run(['--payload-file', 'nosuch'], ''), { code: 2, stderr: /--payload-file nosuch: ENOENT/ });
  const tooMuch = await run(['--message', '-'], 'x'.repeat(1_048_577));
  t.match(tooMuch, { code: 2, stderr: /--message -: it has more than 1048576 bytes/ });
  t.equal(received.length, 2);
});

test('a message that has to be sent again carries the key by which it is stored once', async (t) => {
  const { received, env } = await recorder(t, [503, 503, 200]);
  t.match(await runFrontdesk(t.testdir({}), ['pitch', '--name', 'n'], { env }), { code: 0 });
  t.equal(received.length, 3);
  t.match(received[0]?.key, /^[0-9a-f-]{36}$/);
  t.same(new Set(received.map(({ key }) => key)), new Set([received[0]?.key]));
});

test('with a key of its own a message is stored once', async (t) => {
  const { run, stats } = await atService(t);
  const pitch = ['pitch', '--name', 'n', '--idempotency-key', 'build-17'];
  const [first, second] = [await run(pitch), await run(pitch)];
  t.equal(first.stdout, second.stdout);
  t.match(await stats(), { summary: { totalMessages: 1 } });
});

test('a message without a name, or of a severity that is none, is not sent', async (t) => {
  const { run } = await atService(t);
  t.match(await run(['pitch']), { code: 2, stderr: /needs a --name/ });
  t.match(await run(['pitch', '--name', 'n', '--severity', 'bad']), { code: 2, stderr: /Allowed choices are info,/ });
  t.match(await run(['pitch', '--name', 'x'.repeat(257)]), { code: 3, stderr: /^error: .*name/ });
});

test('a token comes from the environment or a file, and is asked for where there is none', async (t) => {
  const { dir, env, run } = await atService(t);
  const { FRONTDESK_TOKEN: _, ...nobody } = env;
  const pitch = (args: string[], who: Record<string, string> = nobody) =>
    runFrontdesk(dir, ['pitch', '--name', 'n', ...args], { env: who });
  t.match(await pitch([]), { code: 1, stderr: /^error: 401: Missing Authorization header\n {2}.*FRONTDESK_TOKEN/ });
  t.match(await pitch([], { ...env, FRONTDESK_TOKEN: 'wrong' }), { code: 1, stderr: /^error: 401: Invalid token\n/ });
  writeFileSync(join(dir, 'token'), `${token}\n`);
  writeFileSync(join(dir, 'empty'), '\n');
  t.match(await pitch(['--token-file', 'token']), { code: 0 });
  t.match(await pitch(['--token-file', 'empty']), { code: 2, stderr: /--token-file: this is no token/ });
  const broken = await pitch([], { ...env, FRONTDESK_TOKEN: 'two words' });
  t.match(broken, { code: 2, stderr: 'error: FRONTDESK_TOKEN: this is no token\n' });
  t.match(await run(['stats', '--token', token]), { code: 2, stderr: /unknown option '--token'/ });
});

test('how things stand is told as tables with bars', async (t) => {
  const { run } = await atService(t);
  const pitch = (severity: string, system: string) =>
    run(['pitch', '--name', 'n', '--severity', severity, '--system', system]);
  for (const system of ['node-1', 'node-1', 'node-2']) await pitch('warning', system);
  await pitch('error', '\x1b[31mred');
  await pitch('info', 'x'.repeat(60));
  await pitch('info', 'constructor');
  const { code, stdout } = await run(['stats', '--window', '1h']);
  t.equal(code, 0);
  t.match(
    stdout,
    /^Messages in 1h: 6\n {2}info {6}2 {2}█{20}\n {2}success {3}0\n {2}warning {3}3 {2}█{30}\n {2}error {5}1 {2}█{10}\n/,
  );
  t.match(stdout, /\nSystems: 5\n {2}node-1 +2 {2}█{30}\n/);
  t.match(stdout, /\nAlerts: 1\n {2}\\u\{1b\}\[31mred {2}1 {2}█{30}\n/);
  t.match(stdout, `  ${'x'.repeat(47)}…  1  `);
  t.notMatch(stdout, '\x1b', 'what others sent does not reach the terminal');
});

test('how things stand is told again and again, also after an outage', async (t) => {
  const { url, dir, run } = await atService(t);
  const ill = { now: false };
  const server = createServer(async (request, response) => {
    const { authorization = '' } = request.headers;
    const answer = ill.now ? undefined : await fetch(`${url}${request.url}`, { headers: { authorization } });
    response.statusCode = answer?.status ?? 400;
    response.end(answer === undefined ? '{"error":"out to lunch"}' : await answer.text());
  });
  const address = `http://${await listenOnLoopback(t, server)}`;
  const args = ['stats', '--watch', '--interval', '500ms', '--json', '--api', address];
  const printed = startFrontdesk(t, dir, args, { FRONTDESK_TOKEN: token });
  const says = (text: RegExp) =>
    until(
      () => text.test(printed()),
      LIMIT_MS,
      () => new Error(`not ${text}: ${printed()}`),
    );
  await says(/"totalMessages":0/);
  ill.now = true;
  await says(/error: out to lunch/);
  ill.now = false;
  await run(['pitch', '--name', 'n']);
  await says(/"totalMessages":1/);
});

test('on a screen, each look takes the place of the one before', { skip: skipWithoutTmux }, async (t) => {
  const { dir, env, run } = await atService(t);
  const terminal = await Terminal.start(t, dir, ['stats', '--watch', '--interval', '500ms'], env);
  await terminal.shows('Messages in 24h: 0');
  await run(['pitch', '--name', 'n', '--system', 'shop']);
  await terminal.shows('Messages in 24h: 1');
  await terminal.shows('shop  1');
  t.notMatch(await terminal.screen(), 'Messages in 24h: 0');
});

test('a window or an interval that is none is refused', async (t) => {
  const { run } = await atService(t);
  t.match(await run(['stats', '--window', 'yesterday']), { code: 3, stderr: /window/ });
  t.match(await run(['stats', '--watch', '--interval', '1ms']), { code: 2, stderr: /--interval 1ms: / });
});
