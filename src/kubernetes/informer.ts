import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from '../back-off.ts';
import { apiReason } from './api-error.ts';
import { type InformerOptions, TooManyError } from './informer-options.ts';
import { GoneError, type NamespacedObject, type WatchEvent, watch } from './watch.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** A watch that ends sooner, and told nothing, is followed by a pause like one that failed. */
const SOUND_MS = 1000;
/** Proxies in between commonly end what is quiet for a minute; a watch is renewed before that. */
const WATCH_SECONDS = 25;
/** Above the time of a watch, within which there is a bookmark at least. */
const SILENCE_MS = 30_000;

/**
 * What the API server knows of one kind of object, kept up to date by a list and a watch. It goes on for ever: while the
 * API server is away, the kind does not exist yet, or permission is missing. What was known last stays known meanwhile.
 *
 * It lists anew only where a watch cannot go on from where the last one was. A watch is renewed before it has been quiet
 * for long: so a connection that is dead without saying so is noticed, and so is a permission that was taken away.
 */
export class Informer<T> {
  readonly #options: InformerOptions<T>;
  readonly #pause: (attempt: number) => number;
  readonly #closing = new AbortController();
  #objects = new Map<string, T>();
  /** What the next watch goes on from; without it, all is listed first. */
  #resourceVersion: string | undefined;
  /** Attempts since the last one that was of use. */
  #attempts = 0;
  #running: Promise<void> | undefined;
  #synced = false;
  #heardAt: number | undefined;
  #failure: string | undefined;
  #reconnects = 0;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#pause = backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, options.random);
  }

  /** What is kept of all objects. */
  get objects(): Iterable<T> {
    return this.#objects.values();
  }

  /** Whether all objects were ever listed. */
  get synced(): boolean {
    return this.#synced;
  }

  /** When what is known was last known to be all there is, in milliseconds since the epoch. */
  get syncedAt(): number | undefined {
    return this.#failure === undefined && this.#synced ? this.#options.clock() : this.#heardAt;
  }

  /** Why there is no connection now, if there is none. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** How often there was a connection again after there was none. */
  get reconnects(): number {
    return this.#reconnects;
  }

  /** Resolves when the first attempt is over; it may have failed. */
  async start(): Promise<void> {
    const { promise: first, resolve } = Promise.withResolvers<void>();
    this.#running = this.#run(resolve);
    await first;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(onFirst: () => void): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#attempts += 1;
      try {
        await this.#follow(onFirst);
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
      onFirst();
      if (this.#attempts === 0 || signal.aborted) continue;
      // Only closing ends it early, which ends the loop as well.
      await sleep(this.#pause(this.#attempts), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Lists where that is needed, and watches once. */
  async #follow(onOpen: () => void): Promise<void> {
    const { config, path, times } = this.#options;
    const resourceVersion = this.#resourceVersion ?? (await this.#list());
    let openedAt: number | undefined;
    await watch({
      config,
      path,
      resourceVersion,
      seconds: times?.watchSeconds ?? WATCH_SECONDS,
      silenceMs: times?.silenceMs ?? SILENCE_MS,
      signal: this.#closing.signal,
      onOpen: () => {
        openedAt = performance.now();
        this.#connected();
        onOpen();
      },
      onEvent: (event) => this.#heard(event),
    });
    if (openedAt !== undefined && performance.now() - openedAt >= SOUND_MS) this.#attempts = 0;
  }

  async #list(): Promise<string> {
    const { list, onChange } = this.#options;
    const objects = new Map<string, T>();
    let resourceVersion = '';
    for await (const page of list(this.#closing.signal)) {
      for (const object of page.objects) objects.set(keyOf(object), this.#read(object));
      resourceVersion = page.resourceVersion;
    }
    this.#objects = objects;
    this.#resourceVersion = resourceVersion;
    this.#synced = true;
    onChange();
    return resourceVersion;
  }

  #heard(event: WatchEvent): void {
    const { path, maxObjects, onChange, clock } = this.#options;
    this.#attempts = 0;
    this.#heardAt = clock();
    if (event.type === 'BOOKMARK') {
      this.#resourceVersion = event.resourceVersion;
      return;
    }
    const { type, object } = event;
    const key = keyOf(object);
    if (type === 'DELETED') this.#objects.delete(key);
    else if (this.#objects.size < maxObjects || this.#objects.has(key)) this.#objects.set(key, this.#read(object));
    else throw new TooManyError(maxObjects, path.slice(path.lastIndexOf('/') + 1));
    this.#resourceVersion = object.metadata.resourceVersion;
    onChange();
  }

  #read(object: NamespacedObject): T {
    // Of no use to readers, and often more than all the rest.
    delete object.metadata.managedFields;
    return this.#options.read(object, this.#objects.get(keyOf(object)));
  }

  #connected(): void {
    const wasAway = this.#failure !== undefined;
    const isFirst = this.#heardAt === undefined;
    this.#failure = undefined;
    this.#heardAt = this.#options.clock();
    if (wasAway && !isFirst) this.#reconnects += 1;
    if (wasAway || isFirst) this.#options.onConnection(undefined);
  }

  #failed(error: unknown): void {
    // Whoever else lost a connection now is not to come back at the same moment.
    this.#attempts = Math.max(1, this.#attempts);
    if (error instanceof GoneError || error instanceof TooManyError) this.#resourceVersion = undefined;
    // All is listed anew, but nothing is wrong.
    if (error instanceof GoneError) return;
    const reason = apiReason(error);
    const isNew = reason !== this.#failure;
    this.#failure = reason;
    if (isNew) this.#options.onConnection(reason);
  }
}

function keyOf({ metadata }: NamespacedObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
