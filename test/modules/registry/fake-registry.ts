import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Test } from 'tap';
import { MANIFEST_MEDIA_TYPE } from '../../../src/modules/manifest.ts';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { type LayoutOptions, layout } from '../layout.ts';
import { REPOSITORY } from './publish.ts';

/** Answers in place of the registry, or leaves it to it by giving false. */
export type Interfere = (request: IncomingMessage, response: ServerResponse, count: number) => boolean | undefined;

export interface FakeRegistry {
  /** As references name it. */
  host: string;
  url: string;
  source: string;
  /** All requests, the latest last. */
  requests: IncomingMessage[];
  /** Digests of what it has. */
  manifest: string;
  config: string;
  layer: string;
}

export interface FakeOptions {
  /** What the module differs in. */
  module?: LayoutOptions;
  tls?: { cert: string; key: string };
}

/**
 * A registry with the module of `layout` as `modules/demo:1.0`, for what no real registry does: `interfere` is given every
 * request, and how many came before it.
 */
export async function fakeRegistry(
  t: Pick<Test, 'teardown'>,
  interfere: Interfere = () => false,
  { module = {}, tls }: FakeOptions = {},
): Promise<FakeRegistry> {
  const { folder, ...digests } = await layout(module);
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    if (!interfere(request, response, requests.length - 1)) answer(request, response);
  };

  function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const [, kind, name = ''] = new RegExp(`^/v2/${REPOSITORY}/(manifests|blobs)/(.+)$`).exec(url) ?? [];
    const digest = name === '1.0' ? digests.manifest : name;
    const content = folder.blobs.sha256[digest.replace('sha256:', '')];
    if (!(content instanceof Buffer)) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': kind === 'manifests' ? MANIFEST_MEDIA_TYPE : 'application/octet-stream',
      'content-length': content.length,
      'docker-content-digest': digest,
    });
    response.end(method === 'HEAD' ? undefined : content);
  }

  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, listener)
    : createServer(listener);
  const host = await listenOnLoopback(t, server);
  const url = `${tls ? 'https' : 'http'}://${host}`;
  return { host, url, source: `oci://${host}/${REPOSITORY}`, requests, ...digests };
}
