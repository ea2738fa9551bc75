import type { Static } from '@sinclair/typebox';
import type { BackOff } from '../../back-off.ts';
import { MAX_MANIFEST_BYTES } from '../artifact.ts';
import { type Digest, digestOf, isDigest } from '../digest.ts';
import { INDEX_MEDIA_TYPE, IndexSchema, MANIFEST_MEDIA_TYPE, parseJson } from '../manifest.ts';
import { AbsentError, ModuleError } from '../module.ts';
import { type Reference, referenceName } from '../reference.ts';
import type { Descriptor, ModuleRegistry } from '../registry.ts';
import { Authorization } from './authorization.ts';
import { discard, readBody } from './body.ts';
import type { FindCredentials } from './docker-config.ts';
import type { Answer, Exchange } from './exchange.ts';
import { followingRedirects } from './redirects.ts';
import { repositoryUrl } from './repository-url.ts';
import { resumed } from './resumed.ts';
import { retrying } from './retries.ts';
import { failureOf, limited } from './time-limit.ts';

export interface RemoteOptions {
  exchange: Exchange;
  credentials: FindCredentials;
  /** Registries, as references name them, that are asked by HTTP without TLS. */
  plainHttp: ReadonlySet<string>;
  /** Longest time for one resolve, or for reading one thing, redirects, retries and tokens included; in milliseconds. */
  timeoutMs: number;
  pause: BackOff;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Milliseconds that never go back. */
  now: () => number;
}

/** What an index says of what refers to a manifest. */
export type Referrer = Static<typeof IndexSchema>['manifests'][number];

export interface RemoteRegistry extends ModuleRegistry {
  /**
   * What the registry says refers to a manifest, or, where it does not know of referrers, the index under its tag for them:
   * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#listing-referrers
   */
  referrers(reference: Reference, digest: Digest, signal?: AbortSignal): Promise<readonly Referrer[]>;
}

// Also what is no module, so that a registry says what it has, and the error can say so too.
const MANIFEST_TYPES = [
  MANIFEST_MEDIA_TYPE,
  INDEX_MEDIA_TYPE,
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');

/**
 * Registries on the network: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pull
 * Which one is asked stands in each reference.
 */
export function remoteRegistry(options: RemoteOptions): RemoteRegistry {
  const { exchange, credentials, plainHttp, timeoutMs, pause, clock, now } = options;
  const send = retrying(followingRedirects(exchange), { pause, clock });
  const authorization = new Authorization({ send, credentials, now });

  /** Asks for something in the repository of `reference`, and gives whatever the answer is. */
  async function ask(method: 'GET' | 'HEAD', reference: Reference, path: string, limit: AbortSignal): Promise<Answer> {
    const { registry, repository } = reference;
    const target = { registry, repository, plainHttp: plainHttp.has(registry) };
    const url = repositoryUrl(target, path);
    const headers = { accept: path.startsWith('manifests/') ? MANIFEST_TYPES : '*/*', 'accept-encoding': 'identity' };
    return authorization.send(target, { method, url, headers: { ...headers, 'user-agent': 'frontdesk' } }, limit);
  }

  /** The answer that has it; what is not there, or not for us, is an error. */
  async function get(reference: Reference, path: string, limit: AbortSignal): Promise<Answer> {
    const answer = await ask('GET', reference, path, limit);
    if (answer.status === 200) return answer;
    await discard(answer);
    throw refusal(answer.status, reference, path);
  }

  async function describe(reference: Reference, limit: AbortSignal): Promise<Descriptor> {
    const path = `manifests/${reference.digest ?? reference.tag}`;
    const head = await ask('HEAD', reference, path, limit);
    await discard(head);
    const described = head.status === 200 ? descriptorIn(head, reference) : undefined;
    if (described !== undefined) return described;
    // Not every registry answers HEAD, or says there what the manifest is.
    if (head.status !== 200 && head.status !== 405 && head.status !== 501) throw refusal(head.status, reference, path);
    const answer = await get(reference, path, limit);
    const content = await readBody(answer, MAX_MANIFEST_BYTES);
    return { mediaType: mediaTypeOf(answer), digest: digestOf(content), size: content.length };
  }

  async function* read(reference: Reference, path: string, signal?: AbortSignal) {
    const limit = limited(timeoutMs, signal);
    try {
      yield* resumed(async () => (await get(reference, path, limit)).body, pause, limit);
    } catch (error) {
      throw failureOf(error, reference.registry, limit);
    }
  }

  /** The index at `path`; undefined where there is none. */
  async function index(reference: Reference, path: string, limit: AbortSignal) {
    const answer = await ask('GET', reference, path, limit);
    if (answer.status === 200) return parseJson(IndexSchema, await readBody(answer, MAX_MANIFEST_BYTES), path);
    await discard(answer);
    if (withoutReferrers.has(answer.status)) return undefined;
    throw refusal(answer.status, reference, path);
  }

  return {
    async referrers(reference, digest, signal) {
      const limit = limited(timeoutMs, signal);
      try {
        const told = await index(reference, `referrers/${digest}`, limit);
        const kept = told ?? (await index(reference, `manifests/${digest.replace(':', '-')}`, limit));
        return kept?.manifests ?? [];
      } catch (error) {
        throw failureOf(error, reference.registry, limit);
      }
    },
    async resolve(reference, signal) {
      const limit = limited(timeoutMs, signal);
      try {
        return await describe(reference, limit);
      } catch (error) {
        throw failureOf(error, reference.registry, limit);
      }
    },
    manifest: (reference, digest, signal) => read(reference, `manifests/${digest}`, signal),
    blob: (reference, digest, signal) => read(reference, `blobs/${digest}`, signal),
  };
}

/** How registries answer that know nothing of referrers, or of none. */
const withoutReferrers = new Set([400, 404, 405, 501]);

function descriptorIn(answer: Answer, { digest: wanted }: Reference): Descriptor | undefined {
  const { 'docker-content-digest': told = wanted, 'content-length': length = '' } = answer.headers;
  const mediaType = mediaTypeOf(answer);
  if (typeof told !== 'string' || !isDigest(told) || !/^\d{1,15}$/.test(length) || mediaType === '') return undefined;
  return { mediaType, digest: told, size: Number(length) };
}

function mediaTypeOf({ headers }: Answer): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
}

function refusal(status: number, reference: Reference, path: string): ModuleError {
  const { registry, repository } = reference;
  const name = path.startsWith('manifests/')
    ? `module ${referenceName(reference)}`
    : `${path.replace('blobs/', 'blob ')} of ${registry}/${repository}`;
  if (status === 404) return new AbsentError(`${name} was not found: registry ${registry} answers 404`);
  const message = `registry ${registry} answers ${status} for ${name}`;
  return status === 401 || status === 403 ? new AbsentError(message) : new ModuleError('unavailable', message);
}
