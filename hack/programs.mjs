// `node hack/programs.mjs NAME…`: sees to it that these programs are there: those that no npm package brings. On Debian
// and Ubuntu, as root, it installs what is missing; elsewhere it says what to install. Plain JavaScript, as install.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { redisearchFile } from './redisearch-file.mjs';

/**
 * By name: the package of Debian and Ubuntu, and of Homebrew, that it comes in. What is no program is known by its
 * `file`. What has a `without` can be missing, and that is what is missed then.
 */
const known = {
  'docker-registry': { debian: 'docker-registry', without: 'tests against a real registry are skipped' },
  openssl: { debian: 'openssl', homebrew: 'openssl' },
  'redis-server': { debian: 'redis-server', homebrew: 'redis' },
  redisearch: {
    debian: 'redis-redisearch',
    file: redisearchFile,
    without: 'what needs full-text search in Redis is skipped',
  },
  tmux: { debian: 'tmux', homebrew: 'tmux', without: 'tests of questions in a terminal are skipped' },
  wrk: { debian: 'wrk', homebrew: 'wrk' },
};

const hasProgram = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const isThere = (name) => (known[name].file ? existsSync(known[name].file) : hasProgram(name));
const apt = (...args) =>
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Only the program is wanted, not the service that a package may bring: runlevel 1 starts none. (systemd does not
    // ask for the runlevel; it starts the service all the same.)
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  }).status === 0;
const aptInstall = (names) => {
  const packages = names.map((name) => known[name].debian);
  if (packages.length === 0) return;
  console.log(`Installing ${packages.join(', ')} with apt-get …`);
  apt('install', '-q', '-y', '--no-install-recommends', ...packages);
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(known, name));
if (unknown.length > 0) throw new Error(`not known here: ${unknown.join(', ')}`);

const missing = wanted.filter((name) => !isThere(name));
if (missing.length > 0 && process.getuid?.() === 0 && hasProgram('apt-get') && apt('update', '-q')) {
  aptInstall(missing.filter((name) => !known[name].without));
  // On their own: apt installs nothing of a list that has a package the distribution lacks.
  for (const name of missing.filter((name) => known[name].without)) aptInstall([name]);
}
for (const name of missing.filter((name) => !isThere(name))) {
  const { debian, homebrew, without } = known[name];
  const brew = homebrew ? ` macOS: brew install ${homebrew}.` : '';
  console.error(
    `${name} is missing${without ? `; ${without}` : ''}. Debian and Ubuntu: apt-get install ${debian}.${brew}`,
  );
  if (!without) process.exitCode = 1;
}
