import { readModuleFolder } from '../../modules/module-folder.ts';
import { createModules } from '../../modules/modules.ts';
import { packedRegistry } from '../../modules/packed-registry.ts';
import { parseReference, taggedName } from '../../modules/reference.ts';
import { publisher } from '../../modules/remote/publisher.ts';
import { registryAccess } from './registry-access.ts';
import type { RegistryFlags } from './registry-flags.ts';

export interface PushOptions extends RegistryFlags {
  json: boolean;
  withTemplate: boolean;
}

/**
 * `frontdesk module push`: publishes the module in a folder, under its version unless `source` has a tag, and prints the
 * digest. What is broken is not pushed. Charts and KCL modules are published by their own tools.
 */
export async function pushModule(folder: string, source: string, options: PushOptions): Promise<void> {
  const { version, packed } = await readModuleFolder(folder, options);
  const reference = parseReference(hasTag(source) ? { source } : { source, tag: version });
  await createModules({ registry: packedRegistry(packed) }).resolve({ source: 'oci://localhost/packed' });
  await publisher(registryAccess(reference, options))(reference, packed, (what) => console.error(`pushing ${what}`));
  const { digest } = packed.manifest;
  const { registry, repository, tag } = reference;
  if (options.json) console.log(JSON.stringify({ registry, repository, tag, digest }));
  else console.log(`${taggedName(reference)}\n${digest}`);
}

/** A colon before the first slash is that of a port. */
function hasTag(source: string): boolean {
  const [, path = ''] = /^oci:\/\/[^/]*\/(.*)$/.exec(source) ?? [];
  return path.includes(':');
}
