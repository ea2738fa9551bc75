import { crc32 } from 'node:zlib';
import { pack } from 'tar-stream';
import { type Digest, digestOf } from './digest.ts';
import { ARTIFACT_TYPE, CONFIG_MEDIA_TYPE, LAYER_MEDIA_TYPE, MANIFEST_MEDIA_TYPE } from './manifest.ts';
import type { Descriptor } from './registry.ts';
import type { Files } from './unpack.ts';

/** A module as an OCI artifact. */
export interface PackedModule {
  manifest: Descriptor;
  /** Manifest, config and layer. */
  blobs: ReadonlyMap<Digest, Buffer>;
}

/**
 * Packs the files of a module whose engine is `cel`. The bytes depend on files and annotations alone, so the digest is the
 * same wherever and whenever it is made.
 * @param annotations of the manifest: https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md
 */
export async function packModule(files: Files, annotations: Readonly<Record<string, string>>): Promise<PackedModule> {
  const blobs = new Map<Digest, Buffer>();
  const add = (mediaType: string, bytes: Buffer): Descriptor => {
    const digest = digestOf(bytes);
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST_MEDIA_TYPE,
    artifactType: ARTIFACT_TYPE,
    config: add(CONFIG_MEDIA_TYPE, json({ engine: 'cel' })),
    layers: [add(LAYER_MEDIA_TYPE, storedGzip(await archive(files)))],
    annotations,
  };
  return { manifest: add(MANIFEST_MEDIA_TYPE, json(manifest)), blobs };
}

async function archive(files: Files): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    tar.entry({ name, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) }, content);
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Gzip without compression (RFC 1952, RFC 1951 3.2.4): what a compressor makes depends on its version and the CPU. */
function storedGzip(bytes: Buffer): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 0xffff) {
    const part = bytes.subarray(at, at + 0xffff);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + part.length >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(~part.length & 0xffff, 3);
    blocks.push(head, part);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, ...blocks, trailer]);
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
