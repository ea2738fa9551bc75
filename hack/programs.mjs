// `node hack/programs.mjs NAME…`: sees to it that these programs are there: those that no npm package brings. On Debian
// and Ubuntu, as root, it installs what is missing; elsewhere it says what to install. Plain JavaScript, as install.mjs.
import { spawnSync } from 'node:child_process';

/** By program: the package of Debian and Ubuntu, and of Homebrew, that it comes in. */
const packages = {
  wrk: { debian: 'wrk', homebrew: 'wrk' },
};

const isThere = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const apt = (...args) =>
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((program) => !Object.hasOwn(packages, program));
if (unknown.length > 0) throw new Error(`not known here: ${unknown.join(', ')}`);

const missing = wanted.filter((program) => !isThere(program));
if (missing.length > 0 && process.getuid?.() === 0 && isThere('apt-get')) {
  const names = missing.map((program) => packages[program].debian);
  console.log(`Installing ${names.join(', ')} with apt-get …`);
  apt('update', '-q') && apt('install', '-q', '-y', '--no-install-recommends', ...names);
}
for (const program of missing.filter((name) => !isThere(name))) {
  const { debian, homebrew } = packages[program];
  console.error(
    `${program} is missing. Debian and Ubuntu: apt-get install ${debian}. macOS: brew install ${homebrew}.`,
  );
  process.exitCode = 1;
}
