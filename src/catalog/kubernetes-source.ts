import {
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyBaseLogger } from 'fastify';
import { bounded } from '../bounded.ts';
import { Informer } from '../kubernetes/informer.ts';
import type { LoadedTemplate, RejectedTemplate } from './catalog.ts';
import type { CatalogSource, OnChange } from './catalog-source.ts';
import { claimTemplateResource } from './claim-template-resource.ts';
import { type ParsedTemplate, parseTemplate } from './parse-template.ts';

/** Templates that one request lists. */
const PAGE = 500;
/** Most templates that are taken. */
const MAX_TEMPLATES = 20_000;
const LIST_TIMEOUT_MS = 30_000;
/** Changes that come together are one change of the catalog. In milliseconds. */
const SETTLE_MS = 50;

export interface KubernetesSourceOptions {
  config: KubeConfig;
  /** Whose templates are served. */
  namespaces: readonly string[] | 'all';
  /** Called with all templates, first when they were listed and then after each change. */
  onChange: OnChange;
  clock: () => number;
  random: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** ClaimTemplates of a cluster, watched. While the API server is away, what was last known stays in place. */
export class KubernetesSource implements CatalogSource {
  readonly #options: KubernetesSourceOptions;
  readonly #informers: Informer<KubernetesObject>[];
  /** What was made of an object; the informer keeps those that did not change. */
  readonly #parsed = new WeakMap<KubernetesObject, ParsedTemplate>();
  #settling: NodeJS.Timeout | undefined;

  constructor(options: KubernetesSourceOptions) {
    this.#options = options;
    const { namespaces } = options;
    this.#informers =
      namespaces === 'all' ? [this.#informer(undefined)] : namespaces.map((namespace) => this.#informer(namespace));
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
      list: () => listAll(config, namespace),
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
    const objects = this.#informers.flatMap((informer) => informer.objects).toSorted(byAge);
    const templates: LoadedTemplate[] = [];
    const rejected: RejectedTemplate[] = [];
    for (const object of objects) {
      const parsed = this.#parse(object);
      const origin = originOf(object);
      if ('template' in parsed) templates.push({ template: parsed.template, origin });
      else rejected.push({ origin, problems: parsed.problems });
    }
    this.#options.onChange({ templates, rejected });
  }

  #parse(object: KubernetesObject): ParsedTemplate {
    const known = this.#parsed.get(object);
    if (known !== undefined) return known;
    const parsed = parseTemplate(object);
    this.#parsed.set(object, parsed);
    return parsed;
  }
}

/** What is read of a page of a list; the objects are looked at one by one. */
const Page = Type.Object({
  metadata: Type.Object({ resourceVersion: Type.String(), continue: Type.Optional(Type.String()) }),
  items: Type.Array(Type.Object({ metadata: Type.Object({ name: Type.String(), namespace: Type.String() }) })),
});

/** @throws if there are too many, or the API server takes too long. */
async function listAll(
  config: KubeConfig,
  namespace: string | undefined,
): Promise<KubernetesListObject<KubernetesObject>> {
  const api = config.makeApiClient(CustomObjectsApi);
  const deadline = performance.now() + LIST_TIMEOUT_MS;
  const items: KubernetesObject[] = [];
  for (let next: string | undefined; ; ) {
    const page = { ...claimTemplateResource, limit: PAGE, ...(next && { _continue: next }) };
    const answer =
      namespace === undefined
        ? api.listClusterCustomObject(page)
        : api.listNamespacedCustomObject({ ...page, namespace });
    const list: unknown = await bounded(answer, deadline - performance.now());
    if (!Value.Check(Page, list)) throw new Error('the API server did not answer with a list');
    items.push(...list.items);
    if (items.length > MAX_TEMPLATES) throw new Error(`there are more than ${MAX_TEMPLATES} ClaimTemplates`);
    next = list.metadata.continue;
    if (!next) return { metadata: list.metadata, items };
  }
}

/** The oldest first: where a name is taken twice it wins. */
function byAge(a: KubernetesObject, b: KubernetesObject): number {
  return createdAt(a) - createdAt(b) || (originOf(a) < originOf(b) ? -1 : 1);
}

function createdAt({ metadata }: KubernetesObject): number {
  return Date.parse(String(metadata?.creationTimestamp));
}

function originOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}
