// `npm run test:e2e`: proves the chart from outside, on a cluster of kind. By default on one of its own, which is deleted at
// the end; where KIND_CLUSTER names one, on that: made if it is not there, and left in place. Its release `frontdesk` is
// installed, upgraded and uninstalled again and again. What follows goes to tap, such as the name of one file.
import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';

const TEST_SECONDS = 600;

const env = process.env;
const isOwn = !env.KIND_CLUSTER;
if (isOwn) Object.assign(env, { KIND_CLUSTER: 'frontdesk-e2e', KIND_PORT: env.KIND_PORT || '30090' });
// They read the environment when they are loaded.
const { need } = await import('./kind/run.mjs');
const { root } = await import('./kind/settings.mjs');
need('docker', 'kind', 'kubectl', 'helm');

const started = performance.now();
const seconds = (since) => Math.round((performance.now() - since) / 1000);

/** Runs a program in the foreground; whether it succeeded. */
function step(program, ...args) {
  const begun = performance.now();
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  console.log(`# ${args.slice(0, 3).join(' ')}: ${seconds(begun)} s`);
  return status === 0;
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : globSync('test/e2e/*.e2e.ts', { cwd: root }).sort();
const tap = ['--disable-coverage', '--jobs=1', `--timeout=${TEST_SECONDS}`, ...files];

// The signal reaches the program in the foreground as well; what is left to do here is to delete the cluster.
process.on('SIGINT', () => {});
// What is left there tells of a run before.
rmSync(`${root}build/e2e`, { recursive: true, force: true });
const passed =
  step('npm', 'run', '-s', 'kind:up') &&
  step('npm', 'run', '-s', 'kind:load') &&
  step('tap', 'build') &&
  step('tap', ...tap);
if (isOwn) step('npm', 'run', '-s', 'kind:down');
console.log(`# all of it: ${seconds(started)} s`);
process.exitCode = passed ? 0 : 1;
