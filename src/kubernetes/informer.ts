import {
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  ListWatch,
  Watch,
} from '@kubernetes/client-node';
import { backOff } from '../back-off.ts';
import { reasonOf } from '../reason-of.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

export interface InformerOptions<T extends KubernetesObject> {
  config: KubeConfig;
  /** Of the list in the API, such as `/apis/apps/v1/deployments`. */
  path: string;
  /** Tells all that is there now; rejects if that takes too long. */
  list: () => Promise<KubernetesListObject<T>>;
  /** Called after each change of what is known. */
  onChange: () => void;
  /** Called when there is no connection any more or yet, for each new reason, and with undefined when there is one. */
  onConnection: (reason: string | undefined) => void;
  clock: () => number;
  /** From 0 up to, without, 1. */
  random: () => number;
}

/**
 * What the API server knows of one kind of object, kept up to date by a list and a watch. It goes on for ever: while the
 * API server is away, the kind does not exist yet, or permission is missing. What was known last stays known meanwhile.
 *
 * The client's own informer ends with any error but 410 Gone; here it is started again. It lists anew only where the
 * watch cannot go on from where it was.
 */
export class Informer<T extends KubernetesObject> {
  readonly #options: InformerOptions<T>;
  readonly #watched: ListWatch<T>;
  readonly #pause: (attempt: number) => number;
  #attempts = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #synced = false;
  #connectedAt: number | undefined;
  #failure: string | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#pause = backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, options.random);
    const { config, path, onChange } = options;
    this.#watched = new ListWatch<T>(path, new Watch(config), () => this.#list(), false);
    this.#watched.on('change', onChange);
    this.#watched.on('error', (error) => this.#failed(error));
  }

  get objects(): readonly T[] {
    return this.#watched.list();
  }

  /** Whether all objects were ever listed. */
  get synced(): boolean {
    return this.#synced;
  }

  /** When what is known was last known to be all there is, in milliseconds since the epoch. */
  get syncedAt(): number | undefined {
    return this.#failure === undefined && this.#synced ? this.#options.clock() : this.#connectedAt;
  }

  /** Why there is no connection now, if there is none. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Resolves when the first attempt is over; it may have failed. */
  async start(): Promise<void> {
    if (this.#closed) return;
    this.#attempts += 1;
    const attempt = this.#attempts;
    try {
      await this.#watched.start();
    } catch (error) {
      this.#failed(error);
    }
    // One that failed meanwhile has told why, and waits for the next.
    if (this.#retry === undefined && attempt === this.#attempts && !this.#closed) this.#connected();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#watched.stop();
  }

  async #list(): Promise<KubernetesListObject<T>> {
    const list = await this.#options.list();
    this.#synced = true;
    // The items are taken over as soon as this returns; also no items are a change the first time.
    setImmediate(this.#options.onChange);
    return list;
  }

  #connected(): void {
    const wasAway = this.#failure !== undefined || this.#connectedAt === undefined;
    this.#failure = undefined;
    this.#attempts = 0;
    this.#connectedAt = this.#options.clock();
    if (wasAway) this.#options.onConnection(undefined);
  }

  #failed(error: unknown): void {
    if (this.#closed || this.#retry !== undefined) return;
    const reason = reasonOf(error);
    if (this.#failure === undefined && this.#synced) this.#connectedAt = this.#options.clock();
    const isNew = reason !== this.#failure;
    this.#failure = reason;
    if (isNew) this.#options.onConnection(reason);
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        void this.start();
      },
      this.#pause(Math.max(1, this.#attempts)),
    );
  }
}
