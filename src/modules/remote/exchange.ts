import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { SecureContext } from 'node:tls';
import { ConnectionError } from './connection-error.ts';

/** Most connections to one registry, and to all, at a time; further requests wait for them. */
const MAX_CONNECTIONS_PER_HOST = 8;
const MAX_CONNECTIONS = 256;
/** How long a connection that is not in use is kept, in milliseconds. */
const IDLE_MS = 20_000;

export interface Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** An answer whose body is still to be read, or to be discarded: until then it holds its connection. */
export interface Answer {
  status: number;
  /** Header fields by name in lower case. */
  headers: IncomingMessage['headers'];
  body: AsyncIterable<Uint8Array> & { destroy(): unknown };
  /** What was asked in the end, which a redirect may have changed. */
  url: URL;
}

/**
 * One request, one answer: no redirect is followed and nothing is tried again.
 * @throws {ConnectionError} also from the body
 */
export type Exchange = (request: Request, signal: AbortSignal) => Promise<Answer>;

export interface ExchangeOptions {
  /** What servers by HTTPS are trusted by; Node's authorities unless given. */
  secureContext?: SecureContext | undefined;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, where they are set. */
  proxyEnv?: Record<string, string>;
}

/** Speaks HTTP/1.1 by Node's own client, on connections that are kept for the next request. */
export function createExchange({ secureContext, proxyEnv = {} }: ExchangeOptions = {}): Exchange {
  const pool = {
    keepAlive: true,
    maxSockets: MAX_CONNECTIONS_PER_HOST,
    maxTotalSockets: MAX_CONNECTIONS,
    timeout: IDLE_MS,
    proxyEnv,
  };
  const http = new HttpAgent(pool);
  const https = new HttpsAgent({ ...pool, ...(secureContext && { secureContext }) });
  return async ({ method, url, headers, body }, signal) => {
    // Not the URL itself: of one with user and password, Node would make an Authorization header.
    const options = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      signal,
    };
    const outgoing =
      url.protocol === 'https:' ? httpsRequest({ ...options, agent: https }) : httpRequest({ ...options, agent: http });
    const incoming = await answerTo(outgoing, body, url);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: readable(incoming, url), url };
  };
}

function answerTo(outgoing: ClientRequest, body: Request['body'], url: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', (error) => reject(new ConnectionError(url.host, error)));
    outgoing.on('response', resolve);
    outgoing.end(body);
  });
}

function readable(incoming: IncomingMessage, url: URL): Answer['body'] {
  // A body that nobody reads any more may fail as it likes.
  incoming.on('error', () => undefined);
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const chunk of incoming) if (chunk instanceof Uint8Array) yield chunk;
      } catch (error) {
        throw new ConnectionError(url.host, error);
      }
    },
    destroy: () => incoming.destroy(),
  };
}
