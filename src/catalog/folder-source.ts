import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../reason-of.ts';
import type { CatalogSnapshot } from './catalog.ts';
import type { CatalogSource, OnChange } from './catalog-source.ts';
import { parseTemplateFile, rejectedFile } from './template-file.ts';

/** Larger files and further files are rejected. */
const MAX_FILE_BYTES = 1_048_576;
const MAX_FILES = 10_000;
/** Events of one change come in bursts; the folder is read once they are over. In milliseconds. */
const SETTLE_MS = 50;
/** Where the file system sends no events (network mounts), changes are found by looking. In milliseconds. */
const RESCAN_MS = 5_000;

export interface FolderSourceOptions {
  dir: string;
  /** Called with everything that is in the folder, first before `start` resolves and then after each change. */
  onChange: OnChange;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>;
}

interface KnownFile {
  /** Changes when the file does. */
  version: string;
  content: CatalogSnapshot;
}

/**
 * ClaimTemplates from the YAML and JSON files of one folder (not of its subfolders), watched. A file that is broken is
 * rejected alone; a folder that cannot be read leaves what was last read in place.
 */
export class FolderSource implements CatalogSource {
  readonly #options: FolderSourceOptions;
  #files = new Map<string, KnownFile>();
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;
  #rescan: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #failure: string | undefined;
  #syncedAt: number | undefined;
  #reconnects = 0;

  constructor(options: FolderSourceOptions) {
    this.#options = options;
  }

  /** Why the folder cannot be read now, if it cannot. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether the folder was ever read. */
  get synced(): boolean {
    return this.#syncedAt !== undefined;
  }

  get syncedAt(): number | undefined {
    return this.#syncedAt;
  }

  get reconnects(): number {
    return this.#reconnects;
  }

  async start(): Promise<void> {
    await this.#read();
    this.#rescan = setInterval(() => void this.#read(), RESCAN_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#rescan);
    clearTimeout(this.#settling);
    this.#watcher?.close();
    await this.#reading;
  }

  /** A change in the middle of a reading may not be in it, so it is followed by another. */
  async #readAgain(): Promise<void> {
    await this.#reading;
    await this.#read();
  }

  /** One reading at a time. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const { dir, onChange, clock, log } = this.#options;
    try {
      this.#watch();
      const files = await this.#readFiles();
      const isFirst = !this.synced;
      if (this.#failure !== undefined) log.info({ dir }, 'templates folder can be read again');
      if (this.#failure !== undefined && !isFirst) this.#reconnects += 1;
      this.#failure = undefined;
      this.#syncedAt = clock();
      if (!isFirst && sameFiles(files, this.#files)) return;
      this.#files = files;
      const contents = [...files.values()].map(({ content }) => content);
      onChange({
        templates: contents.flatMap(({ templates }) => templates),
        rejected: contents.flatMap(({ rejected }) => rejected),
      });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== this.#failure) log.error({ dir, reason }, 'templates folder cannot be read');
      this.#failure = reason;
      this.#unwatch();
    }
  }

  async #readFiles(): Promise<Map<string, KnownFile>> {
    const names = (await readdir(this.#options.dir)).filter((name) => /^[^.].*\.(ya?ml|json)$/i.test(name)).sort();
    if (names.length > MAX_FILES) throw new Error(`more than ${MAX_FILES} files`);
    const files = new Map<string, KnownFile>();
    for (const name of names) {
      const file = await this.#readFile(name);
      if (file !== undefined) files.set(name, file);
    }
    return files;
  }

  async #readFile(name: string): Promise<KnownFile | undefined> {
    const path = join(this.#options.dir, name);
    const known = this.#files.get(name);
    try {
      const info = await stat(path);
      if (!info.isFile()) return undefined;
      const version = `${info.ino} ${info.mtimeMs} ${info.ctimeMs} ${info.size}`;
      if (known?.version === version) return known;
      if (info.size > MAX_FILE_BYTES)
        return { version, content: rejectedFile(name, `is larger than ${MAX_FILE_BYTES} bytes`) };
      return { version, content: parseTemplateFile(await readFile(path, 'utf8'), name) };
    } catch (error) {
      const reason = reasonOf(error);
      return { version: reason, content: rejectedFile(name, reason) };
    }
  }

  #watch(): void {
    if (this.#watcher !== undefined) return;
    this.#watcher = watch(this.#options.dir, () => {
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => void this.#readAgain(), SETTLE_MS);
    });
    this.#watcher.on('error', () => this.#unwatch());
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

function sameFiles(a: ReadonlyMap<string, KnownFile>, b: ReadonlyMap<string, KnownFile>): boolean {
  return a.size === b.size && [...a].every(([name, file]) => b.get(name)?.version === file.version);
}
