import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { type ChildLimits, runChild } from '../../../src/modules/children/run-child.ts';
import { until } from '../../programs/until.ts';

const limits: ChildLimits = { timeMs: 20_000, outputBytes: 100_000, memoryBytes: 400_000_000 };

/** Runs JavaScript in a process of its own. */
const script = (
  code: string,
  given: { args?: string[]; input?: string; limits?: Partial<ChildLimits>; cwd?: string } = {},
) =>
  runChild(
    {
      program: process.execPath,
      args: ['-e', code, ...(given.args ?? [])],
      env: { ONE: '1' },
      cwd: given.cwd ?? '/',
      ...(given.input !== undefined && { input: given.input }),
    },
    { ...limits, ...given.limits },
  );
const isAlive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
/** Starts a process that lives on, and tells its id in a file. */
const offspring = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  require('node:fs').writeFileSync(process.argv[1], String(child.pid));
  child.unref();`;

test('a child gets its arguments, input and environment as they are, and nothing else', async (t) => {
  const args = ['$HOME', '; id', '`id`', '*', '"', "'", '\\', 'a\nb', '', '--', 'é\u2028'];
  const output = await script(
    'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env, process.cwd(), fs.readFileSync(0, "utf8")]))',
    { args: ['--', ...args], input: 'in\0put', cwd: t.testdir() },
  );
  const [actual, env, cwd, input] = JSON.parse(output.toString());
  t.same({ actual, cwd, input }, { actual: args, cwd: t.testdirName, input: 'in\0put' });
  // tap adds its own, so that it can measure children.
  t.same(
    Object.keys(env).filter((name) => name !== 'NODE_OPTIONS' && !name.startsWith('_TAPJS')),
    ['ONE'],
  );
});

test('a child that does not read its input is no failure', async (t) => {
  t.equal((await script('process.stdout.write("done")', { input: 'x'.repeat(1_000_000) })).toString(), 'done');
});

test('a child that fails is told of with its complaint, or how it ended', async (t) => {
  await t.rejects(script('console.error("no such value"); process.exit(3)'), {
    kind: 'failed',
    message: 'no such value',
  });
  await t.rejects(script('process.exit(3)'), { kind: 'failed', message: 'ended with exit code 3' });
  await t.rejects(script('process.kill(process.pid, "SIGSEGV")'), {
    kind: 'failed',
    message: 'ended with signal SIGSEGV',
  });
});

test('of a long complaint only the beginning is kept', async (t) => {
  const error = await script('console.error("x".repeat(1e6)); process.exitCode = 1').catch((reason: Error) => reason);
  t.match(error, { kind: 'failed' });
  t.equal('message' in error && error.message.length, 4096);
});

test('a program that is not there, or may not be run, is missing', async (t) => {
  const dir = t.testdir({ text: 'no program' });
  for (const program of [join(dir, 'nothing'), join(dir, 'text')]) {
    await t.rejects(runChild({ program, args: [], env: {}, cwd: dir }, limits), {
      kind: 'missing',
      message: 'cannot be started',
    });
  }
});

test('a child that takes too long is killed with all that it started', async (t) => {
  const file = join(t.testdir(), 'pid');
  const run = script(`${offspring} setInterval(() => {}, 1000)`, { args: [file], limits: { timeMs: 5000 } });
  await t.rejects(run, { kind: 'limit', message: 'took longer than 5000 ms' });
  const pid = Number(readFileSync(file, 'utf8'));
  await until(
    () => !isAlive(pid),
    5000,
    () => new Error(`${pid} lives on`),
  );
});

test('what a child leaves behind ends with it', async (t) => {
  const file = join(t.testdir(), 'pid');
  await script(offspring, { args: [file] });
  const pid = Number(readFileSync(file, 'utf8'));
  await until(
    () => !isAlive(pid),
    5000,
    () => new Error(`${pid} lives on`),
  );
});

test('a child that prints too much is killed', async (t) => {
  const endless = 'const more = () => process.stdout.write("x".repeat(65536), more); more()';
  await t.rejects(script(endless), { kind: 'limit', message: 'printed more than 100000 bytes' });
  t.equal((await script('process.stdout.write("x".repeat(100000))')).length, 100_000, 'the limit itself is allowed');
});

test('a child that takes too much memory is killed', {
  skip: process.platform !== 'linux' && 'there is no /proc',
}, async (t) => {
  const hungry = 'const all = []; setInterval(() => all.push(Buffer.alloc(20e6, 1)), 5)';
  await t.rejects(script(hungry), { kind: 'limit', message: 'took more than 400000000 bytes of memory' });
});
