import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { DIGEST_PATTERN, type Digest } from './digest.ts';
import { ModuleError } from './module.ts';

// https://github.com/opencontainers/image-spec/blob/v1.1.1/manifest.md
export const MANIFEST_MEDIA_TYPE = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX_MEDIA_TYPE = 'application/vnd.oci.image.index.v1+json';
/** Name of an entry in the index of a layout. */
export const REF_NAME_ANNOTATION = 'org.opencontainers.image.ref.name';

/** What a Frontdesk module is, and its two parts. */
export const ARTIFACT_TYPE = 'application/vnd.frontdesk.module.v1';
export const CONFIG_MEDIA_TYPE = 'application/vnd.frontdesk.module.config.v1+json';
export const LAYER_MEDIA_TYPE = 'application/vnd.frontdesk.module.content.v1.tar+gzip';

/** A chart, as `helm push` makes it: https://helm.sh/docs/topics/registries/#helm-chart-manifest */
export const HELM_CONFIG_MEDIA_TYPE = 'application/vnd.cncf.helm.config.v1+json';
export const HELM_CHART_MEDIA_TYPE = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
export const HELM_PROVENANCE_MEDIA_TYPE = 'application/vnd.cncf.helm.chart.provenance.v1.prov';

/** A KCL module, as `kcl mod push` makes it: https://github.com/kcl-lang/kpm/blob/v0.11.2/pkg/oci/oci.go */
export const KCL_LAYER_MEDIA_TYPE = 'application/vnd.oci.image.layer.v1.tar';
export const KCL_NAME_ANNOTATION = 'org.kcllang.package.name';

// Unknown fields are to be ignored, as the image specification asks for; so no schema here is closed.
export const DescriptorSchema = Type.Object({
  mediaType: Type.String({ minLength: 1, maxLength: 255 }),
  digest: Type.Unsafe<Digest>(Type.String({ pattern: DIGEST_PATTERN })),
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export const ManifestSchema = Type.Object({
  schemaVersion: Type.Literal(2),
  mediaType: Type.Optional(Type.Literal(MANIFEST_MEDIA_TYPE)),
  artifactType: Type.Optional(Type.String()),
  config: DescriptorSchema,
  layers: Type.Array(DescriptorSchema),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Manifest = Static<typeof ManifestSchema>;

export const IndexSchema = Type.Object({
  schemaVersion: Type.Literal(2),
  manifests: Type.Array(
    Type.Composite([DescriptorSchema, Type.Object({ artifactType: Type.Optional(Type.String()) })]),
  ),
});

/** The config of a module: how it is rendered. */
export const ModuleConfigSchema = Type.Object({
  engine: Type.String({ minLength: 1, maxLength: 64 }),
});

/**
 * Parses JSON into what `schema` describes.
 * @param what names the document in errors.
 * @throws {ModuleError} `invalid`
 */
export function parseJson<T extends TSchema>(schema: T, bytes: Uint8Array, what: string): Static<T> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new ModuleError('invalid', `${what} is not JSON`, { cause: error });
  }
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value).First();
  throw new ModuleError('invalid', `${what} is not valid: ${first?.path || '/'}: ${first?.message ?? 'unexpected'}`);
}
