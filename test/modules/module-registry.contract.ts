import { type Test, test } from 'tap';
import { readArtifact } from '../../src/modules/artifact.ts';
import type { Digest } from '../../src/modules/digest.ts';
import { MANIFEST_MEDIA_TYPE } from '../../src/modules/manifest.ts';
import { AbsentError } from '../../src/modules/module.ts';
import { parseReference } from '../../src/modules/reference.ts';
import type { ModuleRegistry } from '../../src/modules/registry.ts';
import { failure } from './failure.ts';
import { type LayoutOptions, layout, MODULE_YAML } from './layout.ts';
import { readAll } from './read-all.ts';

/** One adapter, and where it has the module that it was opened with. */
export interface RegistryUnderTest {
  registry: ModuleRegistry;
  /** Has the tag `1.0`, and no other. */
  source: string;
}

export type OpenRegistry = (t: Test, options: LayoutOptions) => Promise<RegistryUnderTest>;

const absent: Digest = `sha256:${'0'.repeat(64)}`;

/** What every adapter of the port `ModuleRegistry` does. */
export function moduleRegistryContract(adapter: string, open: OpenRegistry, skip: string | false = false): void {
  test(`${adapter}: a tag and a digest stand for the manifest, with media type and size`, { skip }, async (t) => {
    const { manifest, folder } = await layout();
    const { registry, source } = await open(t, {});
    const size = (folder.blobs.sha256[manifest.slice('sha256:'.length)] as Buffer).length;
    const expected = { mediaType: MANIFEST_MEDIA_TYPE, digest: manifest, size };
    t.match(await registry.resolve(parseReference({ source, tag: '1.0' })), expected);
    t.match(await registry.resolve(parseReference({ source: `${source}@${manifest}` })), expected);
  });

  test(`${adapter}: manifest, config and layer are carried as they are`, { skip }, async (t) => {
    const { registry, source } = await open(t, {});
    const reference = parseReference({ source, tag: '1.0' });
    const artifact = await readArtifact(registry, reference, await registry.resolve(reference));
    t.equal(artifact.files.get('module.yaml')?.toString(), MODULE_YAML);
  });

  test(`${adapter}: a layer of many chunks is carried whole`, { skip }, async (t) => {
    const bytes = Buffer.alloc(1_500_000, 'frontdesk');
    const { registry, source } = await open(t, { layer: bytes });
    const { layer } = await layout({ layer: bytes });
    const read = await readAll(registry.blob(parseReference({ source, tag: '1.0' }), layer));
    t.ok(read.equals(bytes));
  });

  test(`${adapter}: what is not there is absent: tag, repository, digest, manifest and blob`, { skip }, async (t) => {
    const { registry, source } = await open(t, {});
    for (const reference of [
      { source, tag: '2.0' },
      { source: `${source}/more`, tag: '1.0' },
      { source: `${source}@${absent}` },
    ]) {
      t.ok((await failure(registry.resolve(parseReference(reference)))) instanceof AbsentError, reference.source);
    }
    const reference = parseReference({ source, tag: '1.0' });
    for (const read of [registry.manifest(reference, absent), registry.blob(reference, absent)]) {
      t.ok((await failure(read)) instanceof AbsentError);
    }
  });

  test(`${adapter}: what a signal ends is unavailable`, { skip }, async (t) => {
    const { registry, source } = await open(t, {});
    const { layer } = await layout();
    const reference = parseReference({ source, tag: '1.0' });
    const ended = AbortSignal.abort();
    await t.rejects(registry.resolve(reference, ended), { name: 'ModuleError', reason: 'unavailable' });
    t.match(await failure(registry.blob(reference, layer, ended)), { name: 'ModuleError', reason: 'unavailable' });
  });
}
