import {
  ARTIFACT_TYPE,
  CONFIG_MEDIA_TYPE,
  HELM_CHART_MEDIA_TYPE,
  HELM_CONFIG_MEDIA_TYPE,
  HELM_PROVENANCE_MEDIA_TYPE,
  KCL_LAYER_MEDIA_TYPE,
  KCL_NAME_ANNOTATION,
  LAYER_MEDIA_TYPE,
  type Manifest,
} from './manifest.ts';
import { ModuleError } from './module.ts';
import type { Descriptor } from './registry.ts';

/** What a manifest says a module is. */
export interface ArtifactKind {
  /** Undefined where the config says it. */
  engine: 'helm' | 'kcl' | undefined;
  layer: Descriptor;
  compression: 'gzip' | 'none';
}

/**
 * Tells by its media types what an artifact is: a module of ours, a chart as `helm push` makes it, or a KCL module as
 * `kcl mod push` does.
 * @throws {ModuleError} `invalid` if it is none of them.
 */
export function artifactKind(manifest: Manifest): ArtifactKind {
  if (manifest.config.mediaType === HELM_CONFIG_MEDIA_TYPE) return helmChart(manifest);
  if (isKclModule(manifest))
    return { engine: 'kcl', layer: onlyLayer(manifest, KCL_LAYER_MEDIA_TYPE), compression: 'none' };
  // `artifactType` may be left out where the config says what the artifact is:
  // https://github.com/opencontainers/image-spec/blob/v1.1.1/manifest.md#guidelines-for-artifact-usage
  expectType('the artifact', manifest.artifactType ?? ARTIFACT_TYPE, ARTIFACT_TYPE);
  expectType('its config', manifest.config.mediaType, CONFIG_MEDIA_TYPE);
  return { engine: undefined, layer: onlyLayer(manifest, LAYER_MEDIA_TYPE), compression: 'gzip' };
}

/** https://helm.sh/docs/topics/registries/#oci-feature-deprecation-and-behavior-changes-with-v380: the signature is a layer. */
function helmChart(manifest: Manifest): ArtifactKind {
  const layers = manifest.layers.filter(({ mediaType }) => mediaType !== HELM_PROVENANCE_MEDIA_TYPE);
  return { engine: 'helm', layer: onlyLayer({ layers }, HELM_CHART_MEDIA_TYPE), compression: 'gzip' };
}

/** Its tool names the type of the layer also as that of the artifact: in `artifactType`, or before that in the config. */
function isKclModule({ artifactType, config, annotations = {} }: Manifest): boolean {
  return (artifactType ?? config.mediaType) === KCL_LAYER_MEDIA_TYPE || KCL_NAME_ANNOTATION in annotations;
}

function onlyLayer({ layers }: Pick<Manifest, 'layers'>, mediaType: string): Descriptor {
  const [layer, ...more] = layers;
  if (layer === undefined || more.length > 0) {
    throw new ModuleError('invalid', `a module has one layer, this one has ${layers.length}`);
  }
  expectType('its layer', layer.mediaType, mediaType);
  return layer;
}

function expectType(what: string, found: string, expected: string): void {
  if (found === expected) return;
  throw new ModuleError('invalid', `this is no Frontdesk module: ${what} is ${JSON.stringify(found)}, not ${expected}`);
}
