import { MANIFEST_MEDIA_TYPE } from '../../../src/modules/manifest.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { type LayoutOptions, layout } from '../layout.ts';
import { type PushTarget, push } from './push.ts';

/** Where the module of `layout` is put. */
export const REPOSITORY = 'modules/demo';

/** Pushes the module that `layout` makes of `options` to a registry, as `modules/demo:1.0`. */
export async function publish(
  target: Pick<PushTarget, 'url'> & Partial<PushTarget>,
  options: LayoutOptions & { tag?: string } = {},
) {
  const { folder, ...digests } = await layout(options);
  const content = (digest: string) => folder.blobs.sha256[digest.slice('sha256:'.length)] as Buffer;
  await push(
    { exchange: createExchange(), repository: REPOSITORY, ...target },
    {
      blobs: [content(digests.config), content(digests.layer)],
      manifests: [{ mediaType: MANIFEST_MEDIA_TYPE, content: content(digests.manifest) }],
      tag: options.tag ?? '1.0',
    },
  );
  return digests;
}
