import { type Digest, isDigest } from './digest.ts';
import { ModuleError, type ModuleReference } from './module.ts';

/** Where an artifact is, in parts. */
export interface Reference {
  /** Host with optional port, in lower case. */
  registry: string;
  /** Path below the registry. */
  repository: string;
  tag: string;
  /** Wins over the tag. */
  digest?: Digest;
}

const SCHEME = 'oci://';
const DEFAULT_TAG = 'latest';
/** Longest source that is looked at; every part has a tighter bound. */
const MAX_SOURCE_LENGTH = 1024;
/** Longest `<registry>/<repository>`, which is what common registries take. */
const MAX_NAME_LENGTH = 255;

// The grammar of names and tags: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests
const repositoryForm = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagForm = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const registryForm = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[0-9a-f:]+\\])(?::[0-9]{1,5})?$`);

/**
 * Reads `oci://<registry>/<path>[:tag][@sha256:…]` and the tag beside it.
 * @throws {ModuleError} `invalid`, naming the part that is wrong.
 */
export function parseReference({ source, tag }: ModuleReference): Reference {
  if (source.length > MAX_SOURCE_LENGTH) throw invalid(source, 'it is too long');
  if (!source.startsWith(SCHEME)) throw invalid(source, `it does not start with ${SCHEME}`);
  const [name = '', digest, ...more] = source.slice(SCHEME.length).split('@');
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) {
    throw invalid(source, 'its digest is not sha256: and 64 hexadecimal digits in lower case');
  }
  const { registry, repository, ownTag } = parseName(source, name);
  if (tag !== undefined && ownTag !== undefined && tag !== ownTag) {
    throw invalid(source, `it has a tag, and ${JSON.stringify(tag)} stands beside it`);
  }
  const chosen = tag ?? ownTag ?? DEFAULT_TAG;
  if (!tagForm.test(chosen)) throw invalid(source, `the tag ${JSON.stringify(chosen)} is not a valid tag`);
  return { registry, repository, tag: chosen, ...(digest === undefined ? {} : { digest }) };
}

/** The reference as people write it: `registry/path@sha256:…`, or `registry/path:tag` where nothing is pinned. */
export function referenceName({ registry, repository, tag, digest }: Reference): string {
  return digest === undefined ? taggedName({ registry, repository, tag }) : `${registry}/${repository}@${digest}`;
}

/** `registry/path:tag`. */
export function taggedName({ registry, repository, tag }: Omit<Reference, 'digest'>): string {
  return `${registry}/${repository}:${tag}`;
}

function parseName(source: string, name: string) {
  const slash = name.indexOf('/');
  if (slash < 0) throw invalid(source, 'it names no path below the registry');
  const registry = name.slice(0, slash).toLowerCase();
  const [repository = '', ownTag, ...more] = name.slice(slash + 1).split(':');
  if (!registryForm.test(registry))
    throw invalid(source, `${JSON.stringify(registry)} is not a host with optional port`);
  if (!repositoryForm.test(repository)) {
    throw invalid(source, `${JSON.stringify(repository)} is not a repository path (lower case, digits, separators)`);
  }
  if (more.length > 0) throw invalid(source, 'it has more than one tag');
  if (registry.length + 1 + repository.length > MAX_NAME_LENGTH) throw invalid(source, 'its name is too long');
  return { registry, repository, ownTag };
}

function invalid(source: string, why: string): ModuleError {
  return new ModuleError('invalid', `module source ${JSON.stringify(source.slice(0, MAX_NAME_LENGTH))}: ${why}`);
}
