import { readFile, stat } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { hasCode } from '../../has-code.ts';
import { parseJson } from '../manifest.ts';
import { ModuleError } from '../module.ts';
import { DOCKER_HUB } from './docker-hub.ts';

/** Largest file with credentials that is read, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/** What is known to a registry; an `identityToken` is one to be exchanged at its token server. */
export type Credentials = { username: string; password: string } | { identityToken: string };

/** Gives the credentials for a repository, or undefined for none. */
export type FindCredentials = (registry: string, repository: string) => Promise<Credentials | undefined>;

const EntrySchema = Type.Object({
  auth: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  identitytoken: Type.Optional(Type.String()),
});
type Entry = Static<typeof EntrySchema>;

const DockerConfigSchema = Type.Object({ auths: Type.Optional(Type.Record(Type.String(), EntrySchema)) });

export interface DockerConfigFile {
  path: string;
  /** Whether it may be missing. */
  optional: boolean;
}

/**
 * Reads Docker config files (`auths`), anew each time, so that credentials can be rotated. The first file that has any for
 * the repository counts, and in it the entry that names the longest part of `<registry>/<repository>`, as Kubernetes takes
 * them: https://kubernetes.io/docs/concepts/containers/images/#config-json
 * @throws {ModuleError} `unavailable` if a file cannot be read; where it is stays in the cause.
 */
export function dockerConfig(files: readonly DockerConfigFile[]): FindCredentials {
  return async (registry, repository) => {
    for (const file of files) {
      const entry = bestEntry(await readAuths(file), registry, repository);
      const credentials = entry && credentialsIn(entry);
      if (credentials !== undefined) return credentials;
    }
    return undefined;
  };
}

async function readAuths({ path, optional }: DockerConfigFile): Promise<Map<string, Entry>> {
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES} bytes`);
    const { auths = {} } = parseJson(DockerConfigSchema, await readFile(path), 'the file');
    return new Map(Object.entries(auths).map(([key, entry]) => [placeOf(key), entry]));
  } catch (error) {
    if (optional && hasCode(error, 'ENOENT')) return new Map();
    throw new ModuleError('unavailable', 'the credentials of registries cannot be read', { cause: error });
  }
}

/** `https://registry.example/v1/` and the like → `registry.example`. */
function placeOf(key: string): string {
  const place = key.replace(/^https?:\/\//, '').replace(/\/(v[12]\/?)?$/, '');
  return place === DOCKER_HUB.credentials ? DOCKER_HUB.registry : place;
}

function bestEntry(auths: ReadonlyMap<string, Entry>, registry: string, repository: string): Entry | undefined {
  const segments = [registry, ...repository.split('/')];
  for (let length = segments.length; length > 0; length -= 1) {
    const entry = auths.get(segments.slice(0, length).join('/'));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function credentialsIn({ auth, username, password, identitytoken }: Entry): Credentials | undefined {
  if (identitytoken) return { identityToken: identitytoken };
  if (username && password !== undefined) return { username, password };
  const [, user, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(auth ?? '', 'base64').toString()) ?? [];
  return user === undefined || secret === undefined ? undefined : { username: user, password: secret };
}
