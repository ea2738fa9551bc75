import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digestOf } from '../../../src/modules/digest.ts';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../node_modules/.cache/kcl');
const requirements = join(import.meta.dirname, 'requirements.txt');
/** How long making the environment may take, in milliseconds. */
const INSTALL_MS = 90_000;

/**
 * A `kcl` command on KCL's own library, made at the first call and kept for later runs; or why there is none.
 * The real command is not on any registry of packages.
 */
export async function kclCommand(): Promise<{ program: string } | { missing: string }> {
  try {
    return { program: await installed() };
  } catch (error) {
    return { missing: `kcl-lib cannot be had: ${error instanceof Error ? error.message.split('\n')[0] : error}` };
  }
}

async function installed(): Promise<string> {
  const command = await readFile(join(import.meta.dirname, 'kcl-command.py'), 'utf8');
  const wanted = digestOf(Buffer.concat([await readFile(requirements), Buffer.from(command)])).slice(7, 23);
  const home = join(cache, wanted);
  const program = join(home, 'bin/kcl');
  if (await exists(program)) return program;
  await rm(home, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  const limits = { timeout: INSTALL_MS };
  await run('python3', ['-m', 'venv', home], limits);
  const python = join(home, 'bin/python');
  await run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', requirements], limits);
  // No search for Python: engines run without PATH. Renamed last, so that it is there whole or not at all.
  const draft = `${program}.${randomUUID()}`;
  await writeFile(draft, `#!${python}\n${command}`);
  await chmod(draft, 0o755);
  await rename(draft, program);
  return program;
}

async function exists(path: string): Promise<boolean> {
  try {
    await readFile(path);
    return true;
  } catch {
    return false;
  }
}
