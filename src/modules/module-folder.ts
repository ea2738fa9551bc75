import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { MODULE_FILE, parseModuleFile } from './cel/module-file.ts';
import { ModuleError } from './module.ts';
import { type PackedModule, packModule } from './pack.ts';
import { type Files, MAX_ENTRIES, MAX_UNPACKED_BYTES } from './unpack.ts';

/** What stands beside a module for its author, and is no part of it. */
export const AUTHORS_FILES = { template: 'template.yaml', tests: 'tests.yaml' } as const;

/** A module in a folder, as its author has it. */
export interface ModuleFolder {
  name: string;
  version: string;
  files: Files;
  packed: PackedModule;
}

/**
 * Reads the folder of a module, and packs it; with its template, so that it can be ordered without a service.
 * @throws {ModuleError} `invalid`, naming the file that is missing or wrong; `unavailable` if the folder cannot be read.
 */
export async function readModuleFolder(folder: string, { withTemplate = false } = {}): Promise<ModuleFolder> {
  const files = await readFolder(folder);
  if (!withTemplate) return packFolder(folder, files);
  const template = await readFile(join(folder, AUTHORS_FILES.template)).catch((cause: unknown) => {
    throw new ModuleError('invalid', `${folder} has no ${AUTHORS_FILES.template} that can be read`, { cause });
  });
  return packFolder(folder, new Map([...files, [AUTHORS_FILES.template, template]]));
}

/** @throws {ModuleError} as `readModuleFolder` */
export async function packFolder(folder: string, files: Files): Promise<ModuleFolder> {
  const file = files.get(MODULE_FILE);
  if (file === undefined) throw new ModuleError('invalid', `${folder} has no ${MODULE_FILE}`);
  const { name, version = 'latest' } = parseModuleFile(file).content.metadata;
  const annotations = { 'org.opencontainers.image.title': name, 'org.opencontainers.image.version': version };
  return { name, version, files, packed: await packModule(files, annotations) };
}

/**
 * The files of a module in a folder.
 * @throws {ModuleError} `unavailable` if it cannot be read, `invalid` if there is too much in it.
 */
export async function readFolder(folder: string): Promise<Files> {
  const files = new Map<string, Buffer>();
  let left = MAX_UNPACKED_BYTES;
  for (const path of await pathsIn(folder)) {
    left -= (await stat(join(folder, path))).size;
    if (left < 0) throw new ModuleError('invalid', `${folder} has more than ${MAX_UNPACKED_BYTES} bytes`);
    files.set(path.split(sep).join('/'), await readFile(join(folder, path)));
  }
  return files;
}

/** Of plain files; what is hidden, and what is the author's own, is left out. */
async function pathsIn(folder: string): Promise<string[]> {
  const own: readonly string[] = Object.values(AUTHORS_FILES);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new ModuleError('unavailable', `${folder} cannot be read`, { cause });
  });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !own.includes(path) && !path.split(sep).some((part) => part.startsWith('.')));
  if (paths.length > MAX_ENTRIES) throw new ModuleError('invalid', `${folder} has more than ${MAX_ENTRIES} files`);
  return paths.sort();
}
