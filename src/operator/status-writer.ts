import type { KubeConfig } from '@kubernetes/client-node';
import type { FastifyBaseLogger } from 'fastify';
import { backOff } from '../back-off.ts';
import type { ClaimTemplateStatus } from '../catalog/claim-template-status.ts';
import { apiReason } from '../kubernetes/api-error.ts';
import { Connections } from '../kubernetes/connections.ts';
import type { Finding, ModuleFinder } from './module-finder.ts';
import type { ObservedTemplate } from './observed-template.ts';
import { sameStatus } from './same-status.ts';
import { sanitise } from './sanitise.ts';
import { StatusApi } from './status-api.ts';
import { TemplateEvents } from './template-events.ts';
import { templateStatus } from './template-status.ts';
import type { Term } from './term.ts';
import { transitionOf } from './transition.ts';
import { WorkQueue } from './work-queue.ts';

/** Templates that are worked on at once. */
const CONCURRENCY = 4;
/** The least time between two writes to one template, however often it or its module changes; in milliseconds. */
const WRITE_INTERVAL_MS = 1_000;
/** Pause after a write that failed, from the first to the longest, in milliseconds. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export interface StatusWriterOptions {
  config: KubeConfig;
  identity: string;
  term: Term;
  /** All templates there are now, by a key of each; one that did not change is the same object as before. */
  templates: () => ReadonlyMap<string, ObservedTemplate>;
  finder: ModuleFinder;
  /** Told of each write. */
  onWrite: (result: 'written' | 'outdated' | 'failed') => void;
  clock: () => number;
  /** Milliseconds that never go back. */
  monotonic: () => number;
  random: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** Keeps the status of every template up to date, for one term. A template costs at most one write per change, and per second. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #api: StatusApi;
  readonly #events: TemplateEvents;
  readonly #connections = new Connections();
  readonly #queue: WorkQueue;
  #templates: ReadonlyMap<string, ObservedTemplate> = new Map();
  /** When statuses were written last, by key and `monotonic`. */
  readonly #written = new Map<string, number>();
  /** What was found last, by key, with the object and generation that it is about. */
  readonly #found = new Map<string, Finding & { about: string }>();
  #failure: string | undefined;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#api = new StatusApi(options.config, options.term, this.#connections);
    this.#events = new TemplateEvents({ ...options, connections: this.#connections });
    this.#queue = new WorkQueue({
      work: (key) => this.#bringUpToDate(key),
      concurrency: CONCURRENCY,
      backOff: backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, options.random),
      onFailure: (key, error) => this.#failed(key, error),
    });
  }

  /** To be called after each change of the templates. */
  refresh(): void {
    const before = this.#templates;
    this.#templates = this.#options.templates();
    for (const key of before.keys()) if (!this.#templates.has(key)) this.#forget(key);
    for (const [key, template] of this.#templates) if (before.get(key) !== template) this.#queue.add(key);
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    await this.#queue.close();
    this.#connections.close();
  }

  async #bringUpToDate(key: string): Promise<number | undefined> {
    const { term, clock, monotonic } = this.#options;
    const template = this.#templates.get(key);
    if (template === undefined || !term.held) return undefined;
    const early = (this.#written.get(key) ?? -Infinity) + WRITE_INTERVAL_MS - monotonic();
    if (early > 0) return early;
    const { parsed, conflict, generation, status: before } = template;
    const { module, due } = await this.#find(key, template);
    const previous = before.conditions ?? [];
    const status = templateStatus({ parsed, conflict, module, previous, generation, now: clock() });
    if (!sameStatus(status, before)) await this.#write(key, template, status);
    return due === undefined ? undefined : Math.max(0, due - monotonic());
  }

  async #write(key: string, template: ObservedTemplate, status: ClaimTemplateStatus): Promise<void> {
    const { monotonic, onWrite } = this.#options;
    this.#written.set(key, monotonic());
    // Of a version that is outdated there is another one, which is looked at when it is seen.
    const isWritten = await this.#api.apply(template, status);
    onWrite(isWritten ? 'written' : 'outdated');
    this.#failure = undefined;
    const transition = isWritten ? transitionOf(template.status, status) : undefined;
    if (transition !== undefined) await this.#events.tell(template, transition);
  }

  async #find(key: string, { parsed, conflict, uid, generation }: ObservedTemplate): Promise<Finding> {
    if ('problems' in parsed || conflict !== undefined) return { module: { found: 'not tried' }, due: undefined };
    const about = `${uid} ${generation}`;
    const known = this.#found.get(key);
    if (known?.about === about && (known.due === undefined || known.due > this.#options.monotonic())) return known;
    const found = await this.#options.finder.find(parsed.template);
    this.#found.set(key, { ...found, about });
    return found;
  }

  #forget(key: string): void {
    this.#queue.forget(key);
    this.#written.delete(key);
    this.#found.delete(key);
  }

  #failed(template: string, error: unknown): void {
    const { term, onWrite, log } = this.#options;
    if (!term.held) return;
    onWrite('failed');
    const reason = sanitise(apiReason(error));
    // While the API server is away, all templates fail for the same reason.
    if (reason !== this.#failure) log.warn({ template, reason }, 'a status could not be written');
    this.#failure = reason;
  }
}
