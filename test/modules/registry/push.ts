import { type Digest, digestOf } from '../../../src/modules/digest.ts';
import { readBody } from '../../../src/modules/remote/body.ts';
import type { Answer, Exchange, Request } from '../../../src/modules/remote/exchange.ts';

/** Largest answer of a registry to an upload, in bytes. */
const MAX_ANSWER_BYTES = 65_536;

export interface PushTarget {
  exchange: Exchange;
  /** `https://registry.example`. */
  url: string;
  repository: string;
  authorization?: string;
}

/** An artifact, in the parts that a registry takes. */
export interface Pushed {
  blobs: readonly Uint8Array[];
  /** Each under its digest, and the last one under `tag` too. */
  manifests: readonly { mediaType: string; content: Uint8Array }[];
  tag: string;
}

/**
 * Pushes an artifact: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#push
 * @returns digest of what `tag` names
 */
export async function push(target: PushTarget, { blobs, manifests, tag }: Pushed): Promise<Digest> {
  for (const blob of blobs) await pushBlob(target, blob);
  let digest: Digest | undefined;
  for (const { mediaType, content } of manifests) {
    digest = digestOf(content);
    await put(target, urlOf(target, `manifests/${digest}`), mediaType, content);
  }
  const last = manifests.at(-1);
  if (last === undefined || digest === undefined) throw new Error('an artifact has a manifest');
  await put(target, urlOf(target, `manifests/${tag}`), last.mediaType, last.content);
  return digest;
}

async function pushBlob(target: PushTarget, blob: Uint8Array): Promise<void> {
  const begun = await send(target, { method: 'POST', url: urlOf(target, 'blobs/uploads/'), headers: {} }, 202);
  const place = new URL(begun.headers.location ?? '', target.url);
  place.searchParams.set('digest', digestOf(blob));
  await put(target, place, 'application/octet-stream', blob);
}

async function put(target: PushTarget, url: URL, mediaType: string, body: Uint8Array): Promise<void> {
  await send(target, { method: 'PUT', url, headers: { 'content-type': mediaType }, body }, 201);
}

async function send(target: PushTarget, request: Request, expected: number): Promise<Answer> {
  const { exchange, authorization } = target;
  const headers = { ...request.headers, ...(authorization !== undefined && { authorization }) };
  const answer = await exchange({ ...request, headers }, AbortSignal.timeout(10_000));
  const text = (await readBody(answer, MAX_ANSWER_BYTES)).toString();
  if (answer.status !== expected) throw new Error(`${request.method} ${request.url} answers ${answer.status}: ${text}`);
  return answer;
}

function urlOf({ url, repository }: PushTarget, path: string): URL {
  return new URL(`/v2/${repository}/${path}`, url);
}
