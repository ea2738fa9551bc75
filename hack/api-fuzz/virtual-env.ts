import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A Python virtual environment in `dir` that holds what `requirements` pins; made at the first call, and anew when the
 * pins change.
 * @returns the folder of its programs.
 * @throws an error that says what is missing.
 */
export function virtualEnv(dir: string, requirements: string): string {
  const programs = join(dir, 'bin');
  const installedFor = join(dir, 'installed-for');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(installedFor) && readFileSync(installedFor, 'utf8') === wanted) return programs;

  rmSync(dir, { recursive: true, force: true });
  run('python3', ['-m', 'venv', dir], 'It needs Python ≥ 3.10 with its venv module (Debian and Ubuntu: python3-venv).');
  run(
    join(programs, 'python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', requirements],
    'It needs a reachable Python package index.',
  );
  writeFileSync(installedFor, wanted);
  return programs;
}

function run(command: string, args: string[], needs: string): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) return;
  throw new Error(`"${[command, ...args].join(' ')}" failed${error ? `: ${error.message}` : ''}. ${needs}`);
}
