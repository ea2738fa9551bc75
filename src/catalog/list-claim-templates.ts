import { CustomObjectsApi, type KubeConfig } from '@kubernetes/client-node';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { apiCall } from '../kubernetes/api-call.ts';
import { Connections } from '../kubernetes/connections.ts';
import { type ObjectPage, TooManyError } from '../kubernetes/informer-options.ts';
import { NamespacedObject } from '../kubernetes/watch.ts';
import { claimTemplateResource } from './claim-template-resource.ts';

/** Templates that one request lists. */
const PAGE = 500;
const LIST_LIMIT_MS = 30_000;

/** What is read of a page of a list; the objects are looked at one by one. */
const Page = Type.Object({
  metadata: Type.Object({
    resourceVersion: Type.String(),
    continue: Type.Optional(Type.String()),
    remainingItemCount: Type.Optional(Type.Integer()),
  }),
  items: Type.Array(NamespacedObject),
});

export interface ListOptions {
  config: KubeConfig;
  /** All namespaces, where it is undefined. */
  namespace: string | undefined;
  /** Most templates that are taken. */
  max: number;
  signal: AbortSignal;
}

/**
 * All ClaimTemplates of a namespace, or of all namespaces, page by page.
 * @throws {TooManyError}, before the first page already; an error if the API server refuses, or takes too long.
 */
export async function* listClaimTemplates(options: ListOptions): AsyncGenerator<ObjectPage> {
  const { config, namespace, max, signal } = options;
  const api = config.makeApiClient(CustomObjectsApi);
  using connections = new Connections();
  // One limit for all pages.
  const call = apiCall({ limitMs: LIST_LIMIT_MS, signal, connections });
  let count = 0;
  let next: string | undefined;
  do {
    const page = { ...claimTemplateResource, limit: PAGE, ...(next && { _continue: next }) };
    const list: unknown =
      namespace === undefined
        ? await api.listClusterCustomObject(page, call)
        : await api.listNamespacedCustomObject({ ...page, namespace }, call);
    const { metadata, items } = pageIn(list);
    count += items.length;
    if (count + (metadata.remainingItemCount ?? 0) > max) throw new TooManyError(max, claimTemplateResource.plural);
    yield { objects: items, resourceVersion: metadata.resourceVersion };
    next = metadata.continue;
  } while (next);
}

function pageIn(answer: unknown): Static<typeof Page> {
  if (!Value.Check(Page, answer)) throw new Error('the API server did not answer with a list');
  return answer;
}
