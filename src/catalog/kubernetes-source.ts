import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node';
import type { FastifyBaseLogger } from 'fastify';
import { Informer } from '../kubernetes/informer.ts';
import type { LoadedTemplate, RejectedTemplate } from './catalog.ts';
import type { CatalogSource, OnChange } from './catalog-source.ts';
import { claimTemplateResource } from './claim-template-resource.ts';
import { listClaimTemplates } from './list-claim-templates.ts';
import { type ParsedTemplate, parseTemplate } from './parse-template.ts';

/** Changes that come together are one change of the catalog. In milliseconds. */
const SETTLE_MS = 50;

export interface KubernetesSourceOptions {
  config: KubeConfig;
  /** Whose templates are served. */
  namespaces: readonly string[] | 'all';
  /** Called with all templates, first when they were listed and then after each change. */
  onChange: OnChange;
  /** Called after a change of the objects that is none of a template, such as of its status. */
  onResources?: () => void;
  clock: () => number;
  random: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** A ClaimTemplate as it is in the cluster, and what was made of it. */
export interface TemplateResource {
  object: KubernetesObject;
  parsed: ParsedTemplate;
  /** As in what `onChange` is told. */
  origin: string;
}

/** ClaimTemplates of a cluster, watched. While the API server is away, what was last known stays in place. */
export class KubernetesSource implements CatalogSource {
  readonly #options: KubernetesSourceOptions;
  readonly #informers: Informer<KubernetesObject>[];
  /** What was made of the content of objects; a template stays the same object for as long as its content does. */
  #parsed: ReadonlyMap<string, ParsedTemplate> = new Map();
  #resources: readonly TemplateResource[] | undefined;
  #settling: NodeJS.Timeout | undefined;

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

  /** Whether all namespaces were ever listed. */
  get synced(): boolean {
    return this.#informers.every(({ synced }) => synced);
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

  /** Resolves when the first attempt to list is over; it may have failed. */
  async start(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.start()));
  }

  async close(): Promise<void> {
    clearTimeout(this.#settling);
    await Promise.all(this.#informers.map((informer) => informer.close()));
  }

  #informer(namespace: string | undefined): Informer<KubernetesObject> {
    const { config, clock, random, log } = this.#options;
    const { group, version, plural } = claimTemplateResource;
    const path = namespace === undefined ? plural : `namespaces/${namespace}/${plural}`;
    return new Informer({
      config,
      path: `/apis/${group}/${version}/${path}`,
      list: () => listClaimTemplates(config, namespace),
      onChange: () => {
        this.#settling ??= setTimeout(() => this.#settle(), SETTLE_MS);
      },
      onConnection: (reason) => {
        if (reason === undefined) log.info({ namespace }, 'watching ClaimTemplates');
        else log.warn({ namespace, reason }, 'ClaimTemplates cannot be watched; what is known stays served');
      },
      clock,
      random,
    });
  }

  #settle(): void {
    this.#settling = undefined;
    if (!this.synced) return;
    const before = this.#resources;
    this.#resources = this.#read();
    if (before === undefined || !sameTemplates(before, this.#resources)) this.#tell(this.#resources);
    else this.#options.onResources?.();
  }

  #read(): TemplateResource[] {
    const objects = byAge(this.#informers.flatMap((informer) => informer.objects));
    const parsed = new Map<string, ParsedTemplate>();
    const resources = objects.map((object) => {
      const content = contentOf(object);
      const template = this.#parsed.get(content) ?? parseTemplate(object);
      parsed.set(content, template);
      return { object, parsed: template, origin: originOf(object) };
    });
    this.#parsed = parsed;
    return resources;
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

/** The oldest first: where a name is taken twice it wins. */
function byAge(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects
    .map((object) => ({ object, created: createdAt(object), origin: originOf(object) }))
    .sort((a, b) => a.created - b.created || (a.origin < b.origin ? -1 : 1))
    .map(({ object }) => object);
}

function createdAt({ metadata }: KubernetesObject): number {
  const created = metadata?.creationTimestamp;
  // A list of the client has times as text, whatever its types say.
  return created instanceof Date ? created.getTime() : Date.parse(String(created));
}

function originOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

/** Names all that a template is made of: the API server counts a generation with each change of the spec. */
function contentOf({ metadata }: KubernetesObject): string {
  const { uid, generation, labels = {} } = metadata ?? {};
  return `${uid} ${generation} ${JSON.stringify(labels)}`;
}

function sameTemplates(a: readonly TemplateResource[], b: readonly TemplateResource[]): boolean {
  return a.length === b.length && a.every(({ parsed, origin }, i) => b[i]?.parsed === parsed && b[i].origin === origin);
}
