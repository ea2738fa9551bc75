import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../has-code.ts';

/** What the smallest file takes of a disk, in bytes; it bounds the number of files too. */
const BLOCK_BYTES = 4096;
/** Part of the limit that several processes together, each of which knows only what it wrote, may exceed it by. */
const SLACK = 1 / 16;
/** Part of the limit that is left when the oldest have gone. */
const LEFT = 0.9;
/** Age at which a temporary file is one that nobody writes any more, in milliseconds. */
export const ABANDONED_MS = 3_600_000;
/** Largest file that is kept, in bytes. */
export const MAX_FILE_BYTES = 16_777_216;

export interface DiskStoreOptions {
  folder: string;
  /** Most bytes that all files together take, about; what was not read for the longest time goes first. */
  maxBytes: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

interface Entry {
  path: string;
  bytes: number;
  usedAt: number;
}

/**
 * Files in one folder that any number of processes share. A file is written beside its place, flushed and then renamed, so
 * that it is whole or not there, whenever a process is killed. Its time of modification is that of its last use.
 */
export class DiskStore {
  readonly #options: DiskStoreOptions;
  /** Bytes written since the folder was looked through; undefined before the first time. */
  #written: number | undefined;
  #tidying: Promise<void> | undefined;

  constructor(options: DiskStoreOptions) {
    this.#options = options;
  }

  /** The content of a file; undefined if there is none, or one larger than any that is kept. */
  async read(name: string): Promise<Buffer | undefined> {
    const path = this.#path(name);
    try {
      if ((await stat(path)).size > MAX_FILE_BYTES) return undefined;
      const content = await readFile(path);
      const now = this.#options.clock() / 1000;
      // Another process may have removed it meanwhile; what was read is good all the same.
      await utimes(path, now, now).catch(() => undefined);
      return content;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Writes a file, in place of one that is there; one larger than {@link MAX_FILE_BYTES} is passed over. */
  async write(name: string, content: Uint8Array): Promise<void> {
    if (content.length > MAX_FILE_BYTES) return;
    const path = this.#path(name);
    const temporary = join(this.#path('tmp'), randomUUID());
    await mkdir(dirname(temporary), { recursive: true });
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFlushed(temporary, content, this.#options.clock());
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.#count(content.length);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }

  async #count(bytes: number): Promise<void> {
    const { maxBytes } = this.#options;
    this.#written = this.#written === undefined ? undefined : this.#written + onDisk(bytes);
    if (this.#written !== undefined && this.#written < maxBytes * SLACK) return;
    this.#tidying ??= this.#tidy().finally(() => {
      this.#tidying = undefined;
    });
    await this.#tidying;
  }

  /** Removes what was left by processes that were killed, and the least recently used of too much. */
  async #tidy(): Promise<void> {
    const { clock, maxBytes, folder } = this.#options;
    this.#written = 0;
    const entries = await entriesOf(folder);
    const temporary = entries.filter(({ path }) => dirname(path) === this.#path('tmp'));
    for (const { path, usedAt } of temporary) {
      if (clock() - usedAt > ABANDONED_MS) await rm(path, { force: true });
    }
    const kept = entries.filter((entry) => !temporary.includes(entry)).sort((a, b) => a.usedAt - b.usedAt);
    let total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= maxBytes) return;
    for (const { path, bytes } of kept) {
      if (total <= maxBytes * LEFT) return;
      await rm(path, { force: true });
      total -= bytes;
    }
  }
}

async function writeFlushed(path: string, content: Uint8Array, now: number): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.utimes(now / 1000, now / 1000);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function entriesOf(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined) entries.push({ path, bytes: onDisk(found.size), usedAt: found.mtimeMs });
  }
  return entries;
}

function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
