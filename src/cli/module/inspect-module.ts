import { readModuleFolder } from '../../modules/module-folder.ts';

/** `frontdesk module inspect`: tells what would be pushed, and by which digest it would be known. */
export async function inspectModule(folder: string, { json }: { json: boolean }): Promise<void> {
  const { name, version, files, packed } = await readModuleFolder(folder);
  const sizes = [...files].map(([path, content]) => ({ path, bytes: content.length }));
  if (json) {
    console.log(JSON.stringify({ name, version, engine: 'cel', digest: packed.manifest.digest, files: sizes }));
    return;
  }
  console.log(`${name} ${version}, engine cel\n${packed.manifest.digest}`);
  for (const { path, bytes } of sizes) console.log(`  ${path}  ${bytes} bytes`);
}
