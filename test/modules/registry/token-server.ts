import { randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { USER } from './docker-registry.ts';

const SERVICE = 'registry.test';
const ISSUER = 'tokens.test';
/** What stands for {@link USER} where it is exchanged for tokens. */
export const IDENTITY_TOKEN = 'identity-of-puller';

const ANONYMOUS = 'anonymous';

export interface TokenServer {
  /** Tells a registry to ask for the tokens of this server. */
  auth: { realm: string; service: string; issuer: string; rootcertbundle: string };
  /** A token for one repository, as it would be given. */
  issue(repository: string, actions: string[]): string;
  /** Scopes that were asked for, each with `anonymous`, or what it was asked with. */
  asked: { scope: string; by: string }[];
}

/**
 * A token server for one registry: https://distribution.github.io/distribution/spec/auth/jwt/
 * Whoever asks may pull, with a right password, an identity token, or none of both; and push, but not without.
 */
export async function startTokenServer(t: Pick<Test, 'teardown'>, lifeSeconds = 300): Promise<TokenServer> {
  const { ca, cert, key } = await makeCertificates(t);
  const chain = [new X509Certificate(readFileSync(cert)).raw.toString('base64')];
  const asked: TokenServer['asked'] = [];

  function issue(repository: string, actions: string[]): string {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, nbf: now - 60, exp: now + 300 };
    const access = [{ type: 'repository', name: repository, actions }];
    const claims = { iss: ISSUER, sub: USER.username, aud: SERVICE, jti: randomUUID(), ...times, access };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const content = `${part({ typ: 'JWT', alg: 'ES256', x5c: chain })}.${part(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key: readFileSync(key), dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  }

  const server = createServer(async (request, response) => {
    const fields = request.method === 'POST' ? new URLSearchParams(await text(request)) : queryOf(request);
    const scope = fields.get('scope') ?? '';
    const by = (request.method === 'POST' ? fields.get('refresh_token') : request.headers.authorization) ?? ANONYMOUS;
    asked.push({ scope, by });
    const isKnown = [ANONYMOUS, IDENTITY_TOKEN, basicOf(USER)].includes(by) && fields.get('service') === SERVICE;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const { repository, actions } = grantOf(scope, by);
    response.end(JSON.stringify({ token: issue(repository, actions), expires_in: lifeSeconds }));
  });
  const realm = `http://${await listenOnLoopback(t, server)}/token`;
  return { auth: { realm, service: SERVICE, issuer: ISSUER, rootcertbundle: ca }, issue, asked };
}

function grantOf(scope: string, by: string): { repository: string; actions: string[] } {
  const [, repository = '', actions = ''] = /^repository:([^:]+):(pull(?:,push)?)$/.exec(scope) ?? [];
  return { repository, actions: by === ANONYMOUS ? ['pull'] : actions.split(',') };
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://tokens.test').searchParams;
}

function basicOf({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
