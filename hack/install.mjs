// Installs what is missing, before `npm start` and `npm test`. Plain JavaScript without dependencies: it runs on
// whatever Node the machine has, and brings the Node that everything else runs on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const installedFor = `${root}node_modules/.installed-for`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');

if (!existsSync(installedFor) || readFileSync(installedFor, 'utf8') !== wanted) {
  console.log('Installing dependencies, which takes about half a minute the first time …');
  // The engines warning is about the Node that is being replaced.
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`"npm ci" failed${error ? `: ${error.message}` : ''}. It needs npm and a reachable npm registry.`);
    process.exit(1);
  }
  writeFileSync(installedFor, wanted);
  console.log('Dependencies are installed.');
}
