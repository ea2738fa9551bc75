import { ModuleError } from '../module.ts';
import type { PackedModule } from '../pack.ts';
import { type Reference, referenceName } from '../reference.ts';
import { Authorization, type Target } from './authorization.ts';
import { discard } from './body.ts';
import type { Answer, Request } from './exchange.ts';
import type { RemoteOptions } from './remote-registry.ts';
import { repositoryUrl } from './repository-url.ts';
import { retrying } from './retries.ts';
import { failureOf, limited } from './time-limit.ts';

/** Pushes a module, and makes the tag of `reference` stand for it; `onStep` is told what is done next, in a few words. */
export type Publish = (reference: Reference, module: PackedModule, onStep: (what: string) => void) => Promise<void>;

/**
 * Pushes to registries: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#push
 * What a registry has already is not sent again.
 */
export function publisher(options: RemoteOptions): Publish {
  const { exchange, credentials, plainHttp, timeoutMs, pause, clock, now } = options;
  const authorization = new Authorization({
    send: retrying(exchange, { pause, clock }),
    credentials,
    actions: 'pull,push',
    now,
  });

  return async (reference, { manifest, blobs }, onStep) => {
    const { registry, repository, tag } = reference;
    const target = { registry, repository, plainHttp: plainHttp.has(registry) };
    const limit = limited(timeoutMs, undefined);
    const ask = (method: Request['method'], url: URL, more: Partial<Request> = {}) => {
      const headers = { 'user-agent': 'frontdesk', ...more.headers };
      return authorization.send(target, { ...more, method, url, headers }, limit);
    };
    try {
      for (const [digest, content] of blobs) {
        if (digest === manifest.digest) continue;
        onStep(`${digest}, ${content.length} bytes`);
        await pushBlob(ask, target, digest, content);
      }
      onStep(`manifest ${manifest.digest}`);
      const headers = { 'content-type': manifest.mediaType };
      const put = { headers, body: blobs.get(manifest.digest) ?? Buffer.alloc(0) };
      await expectStatus(
        await ask('PUT', repositoryUrl(target, `manifests/${tag}`), put),
        201,
        referenceName(reference),
      );
    } catch (error) {
      throw failureOf(error, registry, limit);
    }
  };
}

type Ask = (method: Request['method'], url: URL, more?: Partial<Request>) => Promise<Answer>;

async function pushBlob(ask: Ask, target: Target, digest: string, content: Buffer): Promise<void> {
  const known = await ask('HEAD', repositoryUrl(target, `blobs/${digest}`));
  await discard(known);
  if (known.status === 200) return;
  const begun = await ask('POST', repositoryUrl(target, 'blobs/uploads/'));
  await expectStatus(begun, 202, `an upload to ${target.registry}/${target.repository}`);
  const place = uploadPlace(begun);
  place.searchParams.set('digest', digest);
  const headers = { 'content-type': 'application/octet-stream' };
  await expectStatus(await ask('PUT', place, { headers, body: content }), 201, `blob ${digest}`);
}

/** Credentials go to no other origin than the registry's. */
function uploadPlace({ headers, url }: Answer): URL {
  const { location } = headers;
  const place = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (place?.origin === url.origin) return place;
  throw new ModuleError('unavailable', `registry ${url.host} sends uploads elsewhere`);
}

async function expectStatus(answer: Answer, status: number, what: string): Promise<void> {
  await discard(answer);
  if (answer.status === status) return;
  throw new ModuleError('unavailable', `registry ${answer.url.host} answers ${answer.status} for ${what}`);
}
