import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'tap';
import { run, urlIn } from '../process.ts';

// What these start is compiled: `npm test` and `npm start` do so first.
test('npm start makes a token of its own, keeps it to itself, and prints commands that work', async (t) => {
  const dataDir = `${t.testdir()}/state`;
  const first = run(t, 'hack/start.mjs', { PORT: '0', DATA_DIR: dataDir });
  await urlIn(first, /Frontdesk serves on (http:\S+) /);
  const token = readFileSync(`${dataDir}/auth-token`, 'utf8').trim();
  t.match(token, /^[\w-]{32}$/);
  t.equal(statSync(`${dataDir}/auth-token`).mode & 0o777, 0o600);
  t.equal(statSync(dataDir).mode & 0o777, 0o700);
  t.notMatch(first.output().stdout, new RegExp(token), 'the token itself is not printed');

  const commands = first.output().stdout.match(/^ {2}curl (?:.*\\\n)*.*$/gm) ?? [];
  t.equal(commands.length, 4);
  const answers = commands.map((command) => JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' })));
  t.match(answers[0], { status: 'success', objectID: /^\d+-\d+$/ });
  t.match(answers[1], { totalMessages: 1, severityCounts: { warning: 1 } });
  t.match(answers[2], { kind: 'ClaimTemplateList', items: [{}, {}] });
  t.match(answers[3], { kind: 'OrderResponse', rendered: /kind: PersistentVolumeClaim/ });

  first.child.kill('SIGTERM');
  t.equal(await first.exited, 0);
  const second = run(t, 'hack/start.mjs', { PORT: '0', DATA_DIR: dataDir });
  await urlIn(second, /Frontdesk serves on (http:\S+) /);
  t.equal(readFileSync(`${dataDir}/auth-token`, 'utf8').trim(), token, 'the same token the next time');
});

test('npm start takes AUTH_TOKEN where it is set, and writes none', async (t) => {
  const dataDir = `${t.testdir()}/state`;
  mkdirSync(dataDir);
  const running = run(t, 'hack/start.mjs', { PORT: '0', DATA_DIR: dataDir, AUTH_TOKEN: 'mine' });
  const url = await urlIn(running, /Frontdesk serves on (http:\S+) /);
  t.equal((await fetch(`${url}/analytics/summary`, { headers: { authorization: 'Bearer mine' } })).status, 200);
  t.throws(() => statSync(`${dataDir}/auth-token`), { code: 'ENOENT' });
  t.notMatch(running.output().stdout, /mine/);
});
