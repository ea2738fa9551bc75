import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type TSchema, Type } from '@sinclair/typebox';
import { hasCode } from '../has-code.ts';
import type { Digest } from './digest.ts';
import { IndexSchema, parseJson, REF_NAME_ANNOTATION } from './manifest.ts';
import { AbsentError, ModuleError } from './module.ts';
import { readBounded } from './read-bounded.ts';
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
  const blob = (_reference: Reference, digest: Digest, signal?: AbortSignal) =>
    read(join(folder, 'blobs', ...digest.split(':')), {
      what: `blob ${digest}`,
      signal,
      isAbsent: (error) => hasCode(error, 'ENOENT'),
    });
  return { resolve: (reference, signal) => resolve(folder, reference, signal), manifest: blob, blob };
}

async function resolve(folder: string, reference: Reference, signal?: AbortSignal): Promise<Descriptor> {
  const readJson = <T extends TSchema>(schema: T, what: string) =>
    readSmall(join(folder, what), what, signal).then((content) => parseJson(schema, content, what));
  await readJson(LayoutSchema, 'oci-layout');
  const index = await readJson(IndexSchema, 'index.json');
  const found = index.manifests.filter((entry) =>
    reference.digest === undefined
      ? entry.annotations?.[REF_NAME_ANNOTATION] === taggedName(reference)
      : entry.digest === reference.digest,
  );
  const digests = new Set(found.map((entry) => entry.digest));
  if (digests.size > 1) throw new ModuleError('invalid', `index.json has ${referenceName(reference)} more than once`);
  const [entry] = found;
  if (entry === undefined) throw new AbsentError(`module ${referenceName(reference)} was not found`);
  return { mediaType: entry.mediaType, digest: entry.digest, size: entry.size };
}

function readSmall(path: string, what: string, signal?: AbortSignal): Promise<Buffer> {
  const tooMuch = () => new ModuleError('invalid', `${what} has more than ${MAX_INDEX_BYTES} bytes`);
  return readBounded(read(path, { what, signal }), MAX_INDEX_BYTES, tooMuch);
}

interface ReadOptions {
  /** Names the file in errors: its path stays in the cause, since messages are shown to callers. */
  what: string;
  signal?: AbortSignal | undefined;
  /** Whether such a failure means that the layout has no such thing. */
  isAbsent?: (error: unknown) => boolean;
}

async function* read(path: string, { what, signal, isAbsent = () => false }: ReadOptions) {
  try {
    const stream: AsyncIterable<Uint8Array> = createReadStream(path, { signal });
    yield* stream;
  } catch (error) {
    const message = `${what} of the module layout cannot be read`;
    if (isAbsent(error)) throw new AbsentError(message, { cause: error });
    throw new ModuleError('unavailable', message, { cause: error });
  }
}
