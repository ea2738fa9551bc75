import { Type } from '@sinclair/typebox';
import { parseJson } from '../manifest.ts';
import { AbsentError, ModuleError } from '../module.ts';
import { basicAuthorization } from './basic-authorization.ts';
import { discard, readBody } from './body.ts';
import type { Challenge } from './challenge.ts';
import type { Credentials } from './docker-config.ts';
import type { Answer, Exchange, Request } from './exchange.ts';

/** Largest answer of a token server, in bytes. */
const MAX_TOKEN_BYTES = 65_536;
/** How long a token holds that does not say so, in milliseconds, and the longest that is believed. */
const DEFAULT_LIFE_MS = 60_000;
const MAX_LIFE_MS = 3_600_000;

const Token = Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 16_384 });
// `token` and `access_token` are the same thing by two names.
const TokenSchema = Type.Object({
  token: Type.Optional(Token),
  access_token: Type.Optional(Token),
  expires_in: Type.Optional(Type.Number({ minimum: 0 })),
});

export interface BearerToken {
  token: string;
  /** Milliseconds for which it is good. */
  lifeMs: number;
}

/** What a token is wanted for. */
export interface TokenRequest {
  challenge: Challenge;
  registry: string;
  repository: string;
  credentials: Credentials | undefined;
  actions: 'pull' | 'pull,push';
  /** Whether the token server may be one by plain HTTP. */
  plainHttp: boolean;
}

/**
 * Asks the token server that a registry names for leave to act on one repository:
 * https://distribution.github.io/distribution/spec/auth/token/ and, for identity tokens, …/auth/oauth/
 * @throws {AbsentError} if it refuses; {@link ModuleError} `unavailable` if it cannot be asked.
 */
export async function fetchToken(send: Exchange, wanted: TokenRequest, signal: AbortSignal): Promise<BearerToken> {
  const answer = await send(requestFor(wanted), signal);
  if (answer.status !== 200) {
    await discard(answer);
    throw refusal(wanted.registry, answer);
  }
  const what = `the answer of the token server ${answer.url.host}`;
  const { token, access_token, expires_in } = parseJson(TokenSchema, await readBody(answer, MAX_TOKEN_BYTES), what);
  const bearer = token ?? access_token;
  if (bearer === undefined) throw new ModuleError('unavailable', `${what} has no token`);
  return { token: bearer, lifeMs: lifeOf(expires_in) };
}

function requestFor({ challenge, registry, repository, credentials, actions, plainHttp }: TokenRequest): Request {
  const url = realmOf(challenge, registry, plainHttp);
  const service = challenge.parameters.get('service');
  // Not what the registry asks for: it may ask for less care than is due.
  const fields = { ...(service !== undefined && { service }), scope: `repository:${repository}:${actions}` };
  if (credentials !== undefined && 'identityToken' in credentials) {
    const form = { grant_type: 'refresh_token', client_id: 'frontdesk', refresh_token: credentials.identityToken };
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    return { method: 'POST', url, headers, body: new URLSearchParams({ ...form, ...fields }).toString() };
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  const authorization = credentials && basicAuthorization(credentials);
  return { method: 'GET', url, headers: { accept: 'application/json', ...(authorization && { authorization }) } };
}

function realmOf({ parameters }: Challenge, registry: string, plainHttp: boolean): URL {
  const realm = parameters.get('realm') ?? '';
  if (!URL.canParse(realm)) throw new ModuleError('unavailable', `registry ${registry} names no token server`);
  const url = new URL(realm);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && plainHttp);
  if (!isAllowed) throw new ModuleError('unavailable', `registry ${registry} names a token server without HTTPS`);
  return url;
}

function lifeOf(seconds: number | undefined): number {
  return seconds === undefined ? DEFAULT_LIFE_MS : Math.min(seconds * 1000, MAX_LIFE_MS);
}

function refusal(registry: string, { status, url }: Answer): ModuleError {
  const message = `the token server ${url.host} of registry ${registry} answers ${status}`;
  return status >= 400 && status < 500 && status !== 429
    ? new AbsentError(message)
    : new ModuleError('unavailable', message);
}
