import { LRUCache } from 'lru-cache';
import { basicAuthorization } from './basic-authorization.ts';
import { discard } from './body.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import type { Credentials, FindCredentials } from './docker-config.ts';
import type { Answer, Exchange, Request } from './exchange.ts';
import { fetchToken, type TokenRequest } from './token-server.ts';

/** Repositories whose authorization is kept. */
const MAX_KEPT = 1024;
/** How long user and password are taken to be the same, in milliseconds. */
const BASIC_LIFE_MS = 300_000;
/** Part of a token's life for which it is used: one must not expire on its way. */
const USED_LIFE = 0.8;

/** Where a request goes. */
export interface Target {
  registry: string;
  repository: string;
  plainHttp: boolean;
}

export interface AuthorizationOptions {
  send: Exchange;
  credentials: FindCredentials;
  /** What tokens are to allow. */
  actions?: TokenRequest['actions'];
  /** Milliseconds that never go back. */
  now: () => number;
}

/** Sends requests to registries with what they ask for: nothing, user and password, or a token, kept while it holds. */
export class Authorization {
  readonly #send: Exchange;
  readonly #credentials: FindCredentials;
  readonly #actions: TokenRequest['actions'];
  readonly #headers: LRUCache<string, string>;

  constructor({ send, credentials, actions = 'pull', now }: AuthorizationOptions) {
    this.#actions = actions;
    this.#send = send;
    this.#credentials = credentials;
    this.#headers = new LRUCache({ max: MAX_KEPT, perf: { now }, ttlResolution: 0 });
  }

  /**
   * Sends a request, and sends it again, once, with what the registry asks for.
   * @throws as `fetchToken`
   */
  async send(target: Target, request: Request, signal: AbortSignal): Promise<Answer> {
    const key = `${target.registry}/${target.repository}`;
    const known = this.#headers.get(key);
    const first = await this.#send(withAuthorization(request, known), signal);
    if (first.status !== 401) return first;
    await discard(first);
    this.#headers.delete(key);
    // Its headers are all that is needed of the first, whatever comes of the second.
    await discard(first);
    const header = await this.#answerTo(first, target, signal);
    if (header === undefined) return first;
    const second = await this.#send(withAuthorization(request, header.value), signal);
    if (second.status !== 401 && header.lifeMs > 0) this.#headers.set(key, header.value, { ttl: header.lifeMs });
    return second;
  }

  /** The header that one of the server's challenges asks for; undefined if we have nothing to say to any. */
  async #answerTo({ headers }: Answer, target: Target, signal: AbortSignal) {
    const { registry, repository } = target;
    const challenges = parseChallenges(headers['www-authenticate'] ?? '');
    const credentials = await this.#credentials(registry, repository);
    const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
    if (bearer !== undefined) return this.#token(bearer, target, credentials, signal);
    const isBasic = challenges.some(({ scheme }) => scheme === 'basic');
    if (!isBasic || credentials === undefined || 'identityToken' in credentials) return undefined;
    return { value: basicAuthorization(credentials), lifeMs: BASIC_LIFE_MS };
  }

  async #token(challenge: Challenge, target: Target, credentials: Credentials | undefined, signal: AbortSignal) {
    const wanted = { challenge, credentials, actions: this.#actions, ...target };
    const { token, lifeMs } = await fetchToken(this.#send, wanted, signal);
    return { value: `Bearer ${token}`, lifeMs: Math.floor(lifeMs * USED_LIFE) };
  }
}

function withAuthorization(request: Request, authorization: string | undefined): Request {
  return authorization === undefined ? request : { ...request, headers: { ...request.headers, authorization } };
}
