import { stat } from 'node:fs/promises';
import type { CatalogSnapshot } from '../../catalog/catalog.ts';
import { FolderSource } from '../../catalog/folder-source.ts';
import { parseTemplateFile } from '../../catalog/template-file.ts';
import { reasonOf } from '../../reason-of.ts';
import { Failure } from '../failure.ts';
import { readInput } from '../read-input.ts';

/**
 * The templates in a folder, as the service reads them, or in one file.
 * @throws {Failure} if it cannot be read.
 */
export async function readTemplates(place: string): Promise<CatalogSnapshot> {
  const info = await stat(place).catch((cause: unknown) => {
    throw new Failure('usage', `--local ${place}: ${reasonOf(cause)}`, [], { cause });
  });
  return info.isDirectory() ? readFolder(place) : parseTemplateFile(await readInput(place, '--local'), place);
}

async function readFolder(dir: string): Promise<CatalogSnapshot> {
  let found: CatalogSnapshot | undefined;
  const quiet = { error: () => undefined, info: () => undefined, warn: () => undefined };
  const onChange = (snapshot: CatalogSnapshot) => {
    found ??= snapshot;
  };
  const source = new FolderSource({ dir, onChange, clock: Date.now, log: quiet });
  await source.start();
  await source.close();
  if (found === undefined) throw new Failure('usage', `--local ${dir}: ${source.failure ?? 'it cannot be read'}`);
  return found;
}
