// `npm run image`: builds the container image `frontdesk:VERSION`. With `--prebuilt` the application is made outside, for
// engines whose containers cannot reach the npm registry. Everything after that goes to `docker build`, or what
// CONTAINER_ENGINE names in its place: `npm run image -- --prebuilt --build-arg NODE_IMAGE=… --target frontdesk-helm`.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const engine = process.env.CONTAINER_ENGINE || 'docker';
const args = process.argv.slice(2);
const isPrebuilt = args.includes('--prebuilt');

const run = (program, programArgs, options = {}) => {
  const { status, error } = spawnSync(program, programArgs, { stdio: 'inherit', ...options });
  if (status !== 0) {
    console.error(`${program} failed${error ? `: ${error.message}` : ''}`);
    process.exit(1);
  }
};
const git = (...gitArgs) => spawnSync('git', gitArgs, { encoding: 'utf8' }).stdout?.trim();

if (isPrebuilt) {
  const target = 'build/image';
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  run('npm', ['run', '-s', 'build']);
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(name, `${target}/${name}`);
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--loglevel=error'], { cwd: target });
  run(process.execPath, ['hack/image/slim.mjs', `${target}/node_modules`]);
  for (const name of ['dist', 'templates', 'LICENSE']) cpSync(name, `${target}/${name}`, { recursive: true });
  rmSync(`${target}/.npmrc`);
}

const buildArgs = {
  VERSION: version,
  COMMIT: git('rev-parse', '--short=12', 'HEAD') || 'unknown',
  // Of the commit, so that the same sources make the same image.
  DATE: git('log', '-1', '--format=%cI') || 'unknown',
  ...(isPrebuilt && { APP: 'prebuilt' }),
};
// Docker's classic builder makes every stage on the way, also those that nothing comes of: without a target, that of helm.
const target = args.some((arg) => arg.startsWith('--target')) ? [] : ['--target', 'frontdesk'];
const file = readFileSync('Dockerfile', 'utf8');
const input = isPrebuilt ? file.replace(/^FROM \S+ AS compiled\n[\s\S]*?(?=^FROM )/m, '') : file;
const build = [
  'build',
  ...['--file', '-'],
  ...['--tag', `frontdesk:${version}`],
  ...Object.entries(buildArgs).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
  ...target,
  ...args.filter((arg) => arg !== '--prebuilt'),
  '.',
];
run(engine, build, { input, stdio: ['pipe', 'inherit', 'inherit'] });
const size = execFileSync(engine, ['image', 'inspect', '--format', '{{.Size}}', `frontdesk:${version}`], {
  encoding: 'utf8',
});
console.log(`frontdesk:${version}, ${Math.round(Number(size) / 1e6)} MB`);
