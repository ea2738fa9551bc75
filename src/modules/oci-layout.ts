import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Digest } from './digest.ts';
import { IndexSchema, parseJson, REF_NAME_ANNOTATION } from './manifest.ts';
import { ModuleError } from './module.ts';
import { type Reference, referenceName, taggedName } from './reference.ts';
import type { Descriptor, ModuleRegistry } from './registry.ts';

/** Largest `index.json` and `oci-layout` that are read, in bytes. */
const MAX_INDEX_BYTES = 4_194_304;

const LayoutSchema = Type.Object({ imageLayoutVersion: Type.Literal('1.0.0') });

/**
 * A folder in the OCI image layout: https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
 * A module is found by its digest, or by the annotation `org.opencontainers.image.ref.name` being
 * `<registry>/<repository>:<tag>` in full, so that one folder stands for any number of registries.
 */
export function ociLayout(folder: string): ModuleRegistry {
  const blob = (_reference: Reference, digest: Digest) =>
    read(join(folder, 'blobs', ...digest.split(':')), `blob ${digest}`);
  return { resolve: (reference) => resolve(folder, reference), manifest: blob, blob };
}

async function resolve(folder: string, reference: Reference): Promise<Descriptor> {
  parseJson(LayoutSchema, await readSmall(join(folder, 'oci-layout'), 'oci-layout'), 'oci-layout');
  const index = parseJson(IndexSchema, await readSmall(join(folder, 'index.json'), 'index.json'), 'index.json');
  const found = index.manifests.filter((entry) =>
    reference.digest === undefined
      ? entry.annotations?.[REF_NAME_ANNOTATION] === taggedName(reference)
      : entry.digest === reference.digest,
  );
  const digests = new Set(found.map((entry) => entry.digest));
  if (digests.size > 1) throw new ModuleError('invalid', `index.json has ${referenceName(reference)} more than once`);
  const [entry] = found;
  if (entry === undefined) throw new ModuleError('unavailable', `module ${referenceName(reference)} was not found`);
  return { mediaType: entry.mediaType, digest: entry.digest, size: entry.size };
}

async function readSmall(path: string, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of read(path, what)) {
    length += chunk.length;
    if (length > MAX_INDEX_BYTES) throw new ModuleError('invalid', `${what} has more than ${MAX_INDEX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// The path stays in the cause: messages are shown to callers.
async function* read(path: string, what: string): AsyncGenerator<Uint8Array> {
  try {
    const stream: AsyncIterable<Uint8Array> = createReadStream(path);
    yield* stream;
  } catch (error) {
    throw new ModuleError('unavailable', `${what} of the module layout cannot be read`, { cause: error });
  }
}
