import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { hasCode } from '../has-code.ts';
import { ModuleError } from './module.ts';

/** Files of a module by path: relative, `/` between segments. */
export type Files = ReadonlyMap<string, Buffer>;

/** Most bytes of a module's archive after decompression, which stops there: a small layer cannot fill the memory. */
export const MAX_UNPACKED_BYTES = 8_388_608;
/** Most entries of a module's archive, folders included. */
export const MAX_ENTRIES = 256;
/** Longest path of a file, in characters. */
export const MAX_PATH_LENGTH = 255;

// Narrower than what file systems take, so that no path needs escaping, is hidden by look-alikes, or leaves its folder.
const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

const decompress = promisify(gunzip);

/**
 * Reads a tar into memory. Plain files and folders only.
 * @throws {ModuleError} `invalid` for links, devices, paths that leave the folder, duplicates, and exceeded limits.
 */
export async function unpack(layer: Uint8Array, compression: 'gzip' | 'none' = 'gzip'): Promise<Files> {
  const archive = compression === 'gzip' ? await decompressed(layer) : layer;
  const entries = extract();
  entries.end(archive);
  const files = new Map<string, Buffer>();
  let count = 0;
  try {
    for await (const entry of entries) {
      count += 1;
      if (count > MAX_ENTRIES) throw new ModuleError('invalid', `the archive has more than ${MAX_ENTRIES} entries`);
      add(files, entry.header, await contentOf(entry));
    }
  } catch (error) {
    if (error instanceof ModuleError) throw error;
    throw new ModuleError('invalid', 'the archive is not a valid tar', { cause: error });
  }
  return files;
}

async function decompressed(layer: Uint8Array): Promise<Buffer> {
  try {
    return await decompress(layer, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const tooLarge = error instanceof RangeError && hasCode(error, 'ERR_BUFFER_TOO_LARGE');
    const why = tooLarge ? `unpacks to more than ${MAX_UNPACKED_BYTES} bytes` : 'is not valid gzip';
    throw new ModuleError('invalid', `the archive ${why}`, { cause: error });
  }
}

async function contentOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) {
    if (chunk instanceof Uint8Array) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function add(files: Map<string, Buffer>, { name, type }: Header, content: Buffer): void {
  const shown = JSON.stringify(name.slice(0, MAX_PATH_LENGTH));
  if (type !== 'file' && type !== 'directory') {
    throw new ModuleError('invalid', `the archive has ${shown}, which is no plain file or folder`);
  }
  const path = normalised(name, type);
  if (path === undefined) throw new ModuleError('invalid', `the archive has the path ${shown}, which is not allowed`);
  if (type === 'directory') return;
  if (files.has(path)) throw new ModuleError('invalid', `the archive has ${shown} twice`);
  files.set(path, content);
}

/** `./a/b` → `a/b`, as `tar -C folder .` writes it; undefined for anything that could leave the folder. */
function normalised(name: string, type: 'file' | 'directory'): string | undefined {
  if (name.length > MAX_PATH_LENGTH) return undefined;
  const path = type === 'directory' ? name.replace(/\/$/, '') : name;
  if (type === 'directory' && path === '.') return path;
  const relative = path.startsWith('./') ? path.slice(2) : path;
  return relative.split('/').every((segment) => segmentForm.test(segment)) ? relative : undefined;
}
