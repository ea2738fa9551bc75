import type { KubeConfig } from '@kubernetes/client-node';
import type { FastifyBaseLogger } from 'fastify';
import { Informer } from '../kubernetes/informer.ts';
import type { InformerOptions } from '../kubernetes/informer-options.ts';
import type { LoadedTemplate, RejectedTemplate } from './catalog.ts';
import type { CatalogSource, OnChange } from './catalog-source.ts';
import { claimTemplateResource } from './claim-template-resource.ts';
import { listClaimTemplates } from './list-claim-templates.ts';
import { byAge, readResource, type TemplateResource } from './template-resource.ts';

/** Changes that come within this time are one change of the catalog. In milliseconds. */
const SETTLE_MS = 50;
/** Where there are many templates it is as many times what the last change cost, up to a longest. */
const SETTLE_FACTOR = 4;
const LONGEST_SETTLE_MS = 250;
/** Most templates of one namespace, or of all where all are watched. */
const MAX_TEMPLATES = 20_000;

export interface KubernetesSourceOptions
  extends Pick<InformerOptions<unknown>, 'clock' | 'config' | 'random' | 'times'> {
  config: KubeConfig;
  /** Whose templates are served. */
  namespaces: readonly string[] | 'all';
  /** Called with all templates, first when they were listed and then after each change. */
  onChange: OnChange;
  /** Called after a change of the objects that is none of a template, such as of its status. */
  onResources?: () => void;
  /** Most templates of one namespace, or of all where all are watched. */
  maxTemplates?: number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** ClaimTemplates of a cluster, watched. While the API server is away, what was last known stays in place. */
export class KubernetesSource implements CatalogSource {
  readonly #options: KubernetesSourceOptions;
  readonly #informers: Informer<TemplateResource>[];
  #resources: readonly TemplateResource[] | undefined;
  #settling: NodeJS.Timeout | undefined;
  #settleMs = SETTLE_MS;

  constructor(options: KubernetesSourceOptions) {
    this.#options = options;
    const { namespaces } = options;
    this.#informers =
      namespaces === 'all' ? [this.#informer(undefined)] : namespaces.map((namespace) => this.#informer(namespace));
  }

  /** All there are, the oldest first. */
  get resources(): readonly TemplateResource[] {
    return this.#resources ?? [];
  }

  /** Whether all namespaces were ever listed, and that was told. */
  get synced(): boolean {
    return this.#resources !== undefined;
  }

  /** Why templates cannot be watched now, if they cannot. */
  get failure(): string | undefined {
    return this.#informers.map(({ failure }) => failure).find((failure) => failure !== undefined);
  }

  /** When the templates were last known to be those of the cluster, in milliseconds since the epoch. */
  get syncedAt(): number | undefined {
    const times = this.#informers.map(({ syncedAt }) => syncedAt);
    return times.reduce((oldest, time) =>
      oldest === undefined || time === undefined ? undefined : Math.min(oldest, time),
    );
  }

  get reconnects(): number {
    return this.#informers.reduce((sum, { reconnects }) => sum + reconnects, 0);
  }

  /** Resolves when the first attempt to list is over; it may have failed. */
  async start(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.start()));
    clearTimeout(this.#settling);
    this.#settle();
  }

  async close(): Promise<void> {
    clearTimeout(this.#settling);
    await Promise.all(this.#informers.map((informer) => informer.close()));
  }

  #informer(namespace: string | undefined): Informer<TemplateResource> {
    const { config, maxTemplates = MAX_TEMPLATES, log } = this.#options;
    const { group, version, plural } = claimTemplateResource;
    const path = namespace === undefined ? plural : `namespaces/${namespace}/${plural}`;
    return new Informer({
      ...this.#options,
      path: `/apis/${group}/${version}/${path}`,
      list: (signal) => listClaimTemplates({ config, namespace, max: maxTemplates, signal }),
      maxObjects: maxTemplates,
      read: readResource,
      onChange: () => {
        this.#settling ??= setTimeout(() => this.#settle(), this.#settleMs);
      },
      onConnection: (reason) => {
        if (reason === undefined) log.info({ namespace }, 'watching ClaimTemplates');
        else log.warn({ namespace, reason }, 'ClaimTemplates cannot be watched; what is known stays served');
      },
    });
  }

  #settle(): void {
    this.#settling = undefined;
    if (!this.#informers.every(({ synced }) => synced)) return;
    const startedAt = performance.now();
    const before = this.#resources;
    this.#resources = this.#informers.flatMap(({ objects }) => [...objects]).sort(byAge);
    if (before === undefined || !sameTemplates(before, this.#resources)) this.#tell(this.#resources);
    else this.#options.onResources?.();
    const cost = performance.now() - startedAt;
    this.#settleMs = Math.min(Math.max(SETTLE_MS, SETTLE_FACTOR * cost), LONGEST_SETTLE_MS);
  }

  #tell(resources: readonly TemplateResource[]): void {
    const templates: LoadedTemplate[] = [];
    const rejected: RejectedTemplate[] = [];
    for (const { parsed, origin } of resources) {
      if ('template' in parsed) templates.push({ template: parsed.template, origin });
      else rejected.push({ origin, problems: parsed.problems });
    }
    this.#options.onChange({ templates, rejected });
  }
}

function sameTemplates(a: readonly TemplateResource[], b: readonly TemplateResource[]): boolean {
  return a.length === b.length && a.every(({ parsed, origin }, i) => b[i]?.parsed === parsed && b[i].origin === origin);
}
