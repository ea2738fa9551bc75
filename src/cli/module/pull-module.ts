import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { pulledModule } from './pulled-module.ts';
import type { RegistryFlags } from './registry-flags.ts';

export interface PullOptions extends RegistryFlags {
  output?: string;
}

/**
 * `frontdesk module pull`: writes the files of a published module into a new or empty folder.
 * @throws {Failure} if there is something in the folder already.
 */
export async function pullModule(source: string, options: PullOptions): Promise<void> {
  const { reference, artifact } = await pulledModule(source, options);
  const folder = options.output ?? basename(reference.repository);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Failure('failure', `${folder} is not empty`);
  // Paths of an artifact are relative, and leave no folder: it would have been refused otherwise.
  for (const [path, content] of artifact.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { flag: 'wx' });
  }
  console.log(`${folder}: ${[...artifact.files.keys()].join(', ')}\n${artifact.digest}`);
}
