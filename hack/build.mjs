// Compiles src/ to dist/, unless dist/ is newer than everything it is made from.
import { spawnSync } from 'node:child_process';
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const stamp = 'dist/.built';
const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
const sources = globSync(['src/**', 'package-lock.json', 'tsconfig*.json']);

if (Math.max(...sources.map(changed)) >= changed(stamp)) {
  console.log('Compiling …');
  rmSync('dist', { recursive: true, force: true });
  const { status } = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
}
