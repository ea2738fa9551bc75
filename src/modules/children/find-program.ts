import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * Where a program is: a name is looked for in the folders of `searchPath`, anything with a `/` is a path.
 * @returns its absolute path, or undefined where there is none that may be executed.
 */
export async function findProgram(program: string, searchPath: string): Promise<string | undefined> {
  if (program.includes('/')) return (await isExecutable(program)) ? resolve(program) : undefined;
  for (const folder of searchPath.split(delimiter)) {
    // A relative folder would make it depend on where the service was started.
    if (isAbsolute(folder) && (await isExecutable(join(folder, program)))) return join(folder, program);
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Whatever the reason, it cannot be run.
    return false;
  }
}
