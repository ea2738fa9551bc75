import { CoordinationV1Api, type KubeConfig, type V1Lease, type V1LeaseSpec } from '@kubernetes/client-node';
import { apiCall } from '../kubernetes/api-call.ts';
import { apiStatus } from '../kubernetes/api-error.ts';

/** A lease as the API server has it. */
export interface StoredLease {
  spec: V1LeaseSpec;
  /** What `replace` compares with. */
  resourceVersion: string | undefined;
}

export interface LeasePlace {
  config: KubeConfig;
  namespace: string;
  name: string;
  /** How long one call may take, in milliseconds. */
  limitMs: number;
}

/** One Lease object. A write fails with the status 409 if there was another one since what it is based on. */
export class LeaseStore {
  readonly #place: LeasePlace;
  readonly #api: CoordinationV1Api;

  constructor(place: LeasePlace) {
    this.#place = place;
    this.#api = place.config.makeApiClient(CoordinationV1Api);
  }

  /** The lease, or undefined where there is none yet. */
  async read(signal?: AbortSignal): Promise<StoredLease | undefined> {
    const { name, namespace } = this.#place;
    try {
      return stored(await this.#api.readNamespacedLease({ name, namespace }, this.#call(signal)));
    } catch (error) {
      if (apiStatus(error) === 404) return undefined;
      throw error;
    }
  }

  async create(spec: V1LeaseSpec, signal?: AbortSignal): Promise<void> {
    const { name, namespace } = this.#place;
    await this.#api.createNamespacedLease({ namespace, body: { metadata: { name }, spec } }, this.#call(signal));
  }

  async replace({ resourceVersion }: StoredLease, spec: V1LeaseSpec, signal?: AbortSignal): Promise<void> {
    const { name, namespace } = this.#place;
    const metadata = { name, ...(resourceVersion !== undefined && { resourceVersion }) };
    await this.#api.replaceNamespacedLease({ name, namespace, body: { metadata, spec } }, this.#call(signal));
  }

  #call(signal: AbortSignal | undefined) {
    return apiCall({ limitMs: this.#place.limitMs, ...(signal && { signal }) });
  }
}

function stored({ spec = {}, metadata }: V1Lease): StoredLease {
  return { spec, resourceVersion: metadata?.resourceVersion };
}
