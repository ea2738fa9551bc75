import {
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { bounded } from '../bounded.ts';
import { claimTemplateResource } from './claim-template-resource.ts';

/** Templates that one request lists. */
const PAGE = 500;
/** Most templates that are taken. */
const MAX_TEMPLATES = 20_000;
const LIST_TIMEOUT_MS = 30_000;

/** What is read of a page of a list; the objects are looked at one by one. */
const Page = Type.Object({
  metadata: Type.Object({ resourceVersion: Type.String(), continue: Type.Optional(Type.String()) }),
  items: Type.Array(Type.Object({ metadata: Type.Object({ name: Type.String(), namespace: Type.String() }) })),
});

/**
 * All ClaimTemplates of a namespace, or of all namespaces, page by page.
 * @throws if there are too many, or the API server takes too long.
 */
export async function listClaimTemplates(
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
