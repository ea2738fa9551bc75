import { availableParallelism } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { MAX_RENDERED_BYTES } from '../claim-text.ts';
import { ModuleError } from '../module.ts';
import type { Files } from '../unpack.ts';
import { findProgram } from './find-program.ts';
import { ModuleFolders } from './module-folders.ts';
import { ChildError, type ChildLimits, runChild } from './run-child.ts';
import { BusyError, type SlotLimits, Slots } from './slots.ts';

const MEBIBYTE = 1_048_576;

/** What one rendering may take. Comments of the engine come on top of the claim itself. */
export const CHILD_LIMITS: ChildLimits = {
  timeMs: 10_000,
  outputBytes: 2 * MAX_RENDERED_BYTES,
  memoryBytes: 512 * MEBIBYTE,
};
/** Programs at work at a time, of all engines together, and orders that wait for that. */
export const SLOT_LIMITS: SlotLimits = { size: Math.min(availableParallelism(), 8), waiting: 128, waitMs: 15_000 };

/** How much of a complaint is passed on, in UTF-16 code units. */
const MAX_COMPLAINT_LENGTH = 500;

// No cluster, no service's secrets; and where a program asks the network in spite of all, it is refused at once. Go need
// not collect garbage in a process that ends after 50 ms, until memory becomes scarce: that saves a tenth of the time.
const ENVIRONMENT = {
  KUBECONFIG: '/dev/null',
  GOGC: 'off',
  GOMEMLIMIT: String(CHILD_LIMITS.memoryBytes / 2),
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
};

/** What all engines share that are programs. */
export interface Workshop {
  slots: Slots;
  folders: ModuleFolders;
  limits: ChildLimits;
}

export function openWorkshop(limits = CHILD_LIMITS, slotLimits = SLOT_LIMITS): Workshop {
  return { slots: new Slots(slotLimits), folders: new ModuleFolders(), limits };
}

export interface Job {
  digest: string;
  files: Files;
  /** What the program is told; `folder` holds the files. */
  args: (folder: string) => string[];
  input?: string;
}

/** An engine that is a program of its own. */
export class ChildEngine {
  /** As people call it. */
  readonly name: string;
  readonly #program: string;
  readonly #searchPath: string;
  readonly #workshop: Workshop;

  constructor(name: string, place: { program: string; searchPath: string }, workshop: Workshop) {
    this.name = name;
    this.#program = place.program;
    this.#searchPath = place.searchPath;
    this.#workshop = workshop;
  }

  /**
   * Where the program is; looked up anew, so that one which is installed later is found.
   * @throws {ModuleError} `engine`
   */
  async locate(): Promise<string> {
    const found = await findProgram(this.#program, this.#searchPath);
    if (found === undefined) throw this.#missing();
    return found;
  }

  /**
   * Runs the program on the files of a module.
   * @returns what it printed.
   * @throws {ModuleError} `engine` if it is gone, `unavailable` if too many wait, `render` if it fails or takes too much.
   */
  run({ digest, files, args, input }: Job): Promise<string> {
    const { slots, folders, limits } = this.#workshop;
    return folders.use(digest, files, async (folder) => {
      try {
        return await slots.use(async (slot) => {
          const home = await folders.home(slot);
          const env = { ...ENVIRONMENT, HOME: home, TMPDIR: home };
          const program = await this.locate();
          const run = { program, args: args(folder), env, cwd: home, ...(input !== undefined && { input }) };
          return utf8(await runChild(run, limits), this.name);
        });
      } catch (error) {
        throw this.#failure(error, folder);
      }
    });
  }

  #failure(error: unknown, folder: string): unknown {
    if (error instanceof BusyError) {
      return new ModuleError('unavailable', `${this.name} is busy: ${error.message}`, { cause: error });
    }
    if (!(error instanceof ChildError)) return error;
    if (error.kind === 'missing') return this.#missing(error);
    // Where the files are is nothing that callers should see.
    const plain = stripVTControlCharacters(error.message).replaceAll(`${folder}/`, '').replaceAll(folder, '.');
    const said = plain.replace(/\s+/g, ' ');
    const shown = said.length > MAX_COMPLAINT_LENGTH ? `${said.slice(0, MAX_COMPLAINT_LENGTH)}…`.toWellFormed() : said;
    return new ModuleError('render', `${this.name}: ${shown}`, { cause: error });
  }

  #missing(cause?: unknown): ModuleError {
    return new ModuleError('engine', `the module needs the program ${this.name}, which is not installed`, { cause });
  }
}

function utf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ModuleError('render', `${name} printed something that is not UTF-8`, { cause: error });
  }
}
