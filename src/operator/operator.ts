import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RejectedTemplate } from '../catalog/catalog.ts';
import type { Cluster } from '../catalog/open-sources.ts';
import type { DependencyStatus } from '../http/ready.ts';
import type { Modules } from '../modules/modules.ts';
import { Lease } from './lease.ts';
import type { LeaseOptions } from './lease-options.ts';
import { ModuleFinder, type ModuleFinderOptions } from './module-finder.ts';
import { type ObservedTemplate, TemplateObserver } from './observed-template.ts';
import { StatusWriter } from './status-writer.ts';

export interface OperatorOptions {
  cluster: Cluster;
  /** Of this process, among all that may lead. */
  identity: string;
  /** What the catalog refuses now. */
  rejected: () => readonly RejectedTemplate[];
  modules: Modules;
  registry: Registry;
  clock: () => number;
  /** Milliseconds that never go back. */
  monotonic: () => number;
  /** From 0 up to, without, 1. */
  random: () => number;
  log: FastifyBaseLogger;
  /** Times that differ from the defaults. */
  times?: Pick<LeaseOptions, 'durationMs' | 'renewDeadlineMs' | 'retryMs'> &
    Pick<ModuleFinderOptions, 'intervalMs' | 'retryIntervalMs'>;
}

/** What this process writes to the cluster: while it leads, the status of every template and the events about it. */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #lease: Lease;
  readonly #finder: ModuleFinder;
  readonly #observer = new TemplateObserver();
  readonly #writes: Counter<'result'>;
  #writer: StatusWriter | undefined;
  #refreshing: NodeJS.Immediate | undefined;

  constructor(options: OperatorOptions) {
    this.#options = options;
    const { cluster, registry, times } = options;
    this.#finder = new ModuleFinder({ ...options, ...times });
    this.#lease = new Lease({
      ...options,
      ...cluster,
      ...times,
      onAcquired: (term) => {
        const onWrite = (result: string) => this.#writes.inc({ result });
        const templates = () => this.#templates();
        this.#writer = new StatusWriter({ ...options, ...cluster, term, templates, finder: this.#finder, onWrite });
        this.#writer.refresh();
      },
      onLost: () => {
        void this.#writer?.close();
        this.#writer = undefined;
      },
    });
    this.#writes = new Counter({
      name: 'frontdesk_status_writes_total',
      help: 'Writes of the status of a template by result: written, outdated, failed.',
      labelNames: ['result'] as const,
      registers: [registry],
    });
    measureLeader(registry, this.#lease);
  }

  start(): void {
    this.#lease.start();
  }

  /** To be called after each change of the catalog. */
  refresh(): void {
    // With many templates both take their time: requests may come in between.
    this.#refreshing ??= setImmediate(() => {
      this.#refreshing = undefined;
      this.#writer?.refresh();
    });
  }

  /** Who writes the status. Templates are served without it, so it is never what makes the service not ready. */
  status(): DependencyStatus {
    const { leads, holder, failure } = this.#lease;
    const known = { ...(holder !== undefined && { holder }), ...(failure !== undefined && { reason: failure }) };
    return { ready: true, details: { leader: leads, identity: this.#options.identity, ...known } };
  }

  /** Gives the lease back once nothing is written any more. */
  async close(): Promise<void> {
    clearImmediate(this.#refreshing);
    await this.#writer?.close();
    await this.#lease.close();
  }

  #templates(): ReadonlyMap<string, ObservedTemplate> {
    const { cluster, rejected } = this.#options;
    // A template that nothing else is wrong with is refused only where its name is taken.
    const conflicts = new Map(rejected().map(({ origin, problems }) => [origin, problems[0]?.reason ?? '']));
    return this.#observer.observe(cluster.resources(), conflicts);
  }
}

function measureLeader(registry: Registry, lease: Lease): void {
  new Gauge({
    name: 'frontdesk_leader',
    help: 'Whether this process writes the status of templates: 1 if it does, else 0.',
    registers: [registry],
    collect() {
      this.set(lease.leads ? 1 : 0);
    },
  });
}
