import { MODULE_FILE, parseModuleFile } from '../../modules/cel/module-file.ts';
import { folderArtifact } from '../../modules/folder-artifact.ts';
import { pulledModule } from './pulled-module.ts';
import type { RegistryFlags } from './registry-flags.ts';

export interface InspectOptions extends RegistryFlags {
  json: boolean;
}

/** `frontdesk module inspect`: tells what a module is, in a folder or published, and by which digest it is known. */
export async function inspectModule(place: string, options: InspectOptions): Promise<void> {
  const { engine, digest, files } = place.startsWith('oci://')
    ? (await pulledModule(place, options)).artifact
    : await folderArtifact(place);
  const sizes = [...files].map(([path, content]) => ({ path, bytes: content.length }));
  const file = files.get(MODULE_FILE);
  const { name, version } = file === undefined ? {} : parseModuleFile(file).content.metadata;
  if (options.json) {
    console.log(JSON.stringify({ name, version, engine, digest, files: sizes }));
    return;
  }
  console.log(`${[name, version].filter(Boolean).join(' ')}, engine ${engine}\n${digest}`);
  for (const { path, bytes } of sizes) console.log(`  ${path}  ${bytes} bytes`);
}
