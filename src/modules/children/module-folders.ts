import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasCode } from '../../has-code.ts';
import { ModuleError } from '../module.ts';
import type { Files } from '../unpack.ts';

/** Modules that are kept unpacked; the least recently used goes first, unless it is in use. */
export const MAX_FOLDERS = 32;

interface Unpacked {
  folder: Promise<string>;
  users: number;
}

/** Private temporary folders: one for each module's files, unpacked once per digest, and one for each place to work. */
export class ModuleFolders {
  #root: Promise<string> | undefined;
  /** By digest, the least recently used first. */
  readonly #unpacked = new Map<string, Unpacked>();

  /** Works with the files of a module on disk, which stay there as long. */
  async use<T>(digest: string, files: Files, work: (folder: string) => Promise<T>): Promise<T> {
    const entry = this.#unpacked.get(digest) ?? { folder: this.#unpack(files), users: 0 };
    this.#unpacked.delete(digest);
    this.#unpacked.set(digest, entry);
    entry.users += 1;
    try {
      return await work(await entry.folder);
    } catch (error) {
      // What could not be written is tried again next time.
      entry.folder.catch(() => this.#forget(digest, entry));
      throw error;
    } finally {
      entry.users -= 1;
      await this.#evict();
    }
  }

  /** The folder that programs in this slot take for their home: nothing of the service's user is in it. */
  async home(slot: number): Promise<string> {
    const home = join(await this.#base(), `home-${slot}`);
    await mkdir(home, { recursive: true, mode: 0o700 });
    return home;
  }

  /** Removes everything. */
  async close(): Promise<void> {
    this.#unpacked.clear();
    if (this.#root !== undefined) await remove(await this.#root);
    this.#root = undefined;
  }

  #base(): Promise<string> {
    this.#root ??= mkdtemp(join(tmpdir(), 'frontdesk-modules-'));
    return this.#root;
  }

  async #unpack(files: Files): Promise<string> {
    const folder = await mkdtemp(join(await this.#base(), 'module-'));
    try {
      for (const [path, content] of files) await writeUnder(folder, path, content);
      return folder;
    } catch (error) {
      await remove(folder);
      throw error;
    }
  }

  #forget(digest: string, entry: Unpacked): void {
    if (this.#unpacked.get(digest) === entry) this.#unpacked.delete(digest);
  }

  async #evict(): Promise<void> {
    for (const [digest, { folder, users }] of this.#unpacked) {
      if (this.#unpacked.size <= MAX_FOLDERS) return;
      if (users > 0) continue;
      this.#unpacked.delete(digest);
      // One that could not be unpacked has gone already.
      await folder.then(remove, () => undefined);
    }
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

async function writeUnder(folder: string, path: string, content: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, path), content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOTDIR')) throw error;
    throw new ModuleError('invalid', `the archive has ${JSON.stringify(path)} below a file`, { cause: error });
  }
}
