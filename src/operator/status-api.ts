import { CustomObjectsApi, type KubeConfig, type KubernetesObject, PatchStrategy } from '@kubernetes/client-node';
import { apiVersion } from '../catalog/claim-template.ts';
import { claimTemplateResource } from '../catalog/claim-template-resource.ts';
import type { ClaimTemplateStatus } from '../catalog/claim-template-status.ts';
import { apiCall } from '../kubernetes/api-call.ts';
import { apiStatus } from '../kubernetes/api-error.ts';
import type { Connections } from '../kubernetes/connections.ts';
import type { ObservedTemplate } from './observed-template.ts';
import type { Term } from './term.ts';

/** By which the API server knows the fields that are ours. */
const FIELD_MANAGER = 'frontdesk';
/** How long one write may take, in milliseconds. */
const WRITE_LIMIT_MS = 5_000;

/** Writes statuses, within one term. */
export class StatusApi {
  readonly #api: CustomObjectsApi;
  readonly #term: Term;
  readonly #connections: Connections;

  constructor(config: KubeConfig, term: Term, connections: Connections) {
    this.#api = config.makeApiClient(CustomObjectsApi);
    this.#term = term;
    this.#connections = connections;
  }

  /**
   * Gives the object this status, if it is still the version that was observed: so no write that comes late, from a
   * leader that is none any more, can undo one that came after it.
   * @returns whether it was that version.
   */
  async apply(template: ObservedTemplate, status: ClaimTemplateStatus): Promise<boolean> {
    const { namespace, name, uid, resourceVersion } = template;
    const body: KubernetesObject & { status: ClaimTemplateStatus } = {
      apiVersion,
      kind: 'ClaimTemplate',
      metadata: { namespace, name, uid, resourceVersion },
      status,
    };
    const call = apiCall({
      limitMs: WRITE_LIMIT_MS,
      signal: this.#term.signal,
      connections: this.#connections,
      contentType: PatchStrategy.ServerSideApply,
      beforeSend: () => this.#term.assertHeld(),
    });
    const fields = { ...claimTemplateResource, namespace, name, fieldManager: FIELD_MANAGER, force: true };
    try {
      await this.#api.patchNamespacedCustomObjectStatus({ ...fields, body }, call);
      return true;
    } catch (error) {
      if (apiStatus(error) === 409 || apiStatus(error) === 404) return false;
      throw error;
    }
  }
}
