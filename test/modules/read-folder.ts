import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Files } from '../../src/modules/unpack.ts';

/** The files of a folder, as a module has them; below `top` where that is given. */
export async function readFolder(folder: string, top = ''): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Buffer]> => [join(top, relative(folder, path)), await readFile(path)]),
    ),
  );
}
