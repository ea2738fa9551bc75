import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { cached } from './cached.ts';
import { DiskStore } from './disk-store.ts';
import { firstOf } from './first-of.ts';
import { lastKnown } from './last-known.ts';
import { type Mirrors, mirrored } from './mirrored.ts';
import { ociLayout } from './oci-layout.ts';
import type { ModuleRegistry } from './registry.ts';
import type { DockerConfigFile } from './remote/docker-config.ts';
import { dockerLogin, remoteOptions } from './remote/remote-options.ts';
import { type RemoteRegistry, remoteRegistry } from './remote/remote-registry.ts';
import { readPublicKeys } from './signature/public-keys.ts';
import { signedOnly } from './signature/signed-only.ts';

/** What registries are reached and kept by. */
export const moduleSettings = [
  'DATA_DIR',
  'MODULE_TIMEOUT',
  'MODULE_STALE_OK',
  'MODULE_CACHE_DIR',
  'MODULE_CACHE_BYTES',
  'MODULE_MIRRORS',
  'MODULE_CREDENTIALS',
  'DOCKER_CONFIG',
  'MODULE_CA',
  'MODULE_VERIFY',
  'MODULE_PLAIN_HTTP',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
] as const satisfies readonly (keyof Config)[];
export type ModuleSettings = Pick<Config, (typeof moduleSettings)[number]>;

type Log = Pick<FastifyBaseLogger, 'warn'>;

/**
 * Where this process has its modules from: the layout, then what is kept of registries, then their mirrors, then they.
 * @throws naming MODULE_CA or MODULE_VERIFY, where its file has no certificate or key.
 */
export function openRegistry(
  config: ModuleSettings & Pick<Config, 'MODULES_DIR'>,
  clock: () => number,
  log: Log,
): ModuleRegistry {
  // What came with this process is trusted as that is.
  return firstOf(ociLayout(config.MODULES_DIR), openRegistries(config, clock, log));
}

/**
 * Registries alone, as `openRegistry` has them after the layout.
 * @throws as `openRegistry`
 */
export function openRegistries(config: ModuleSettings, clock: () => number, log: Log): ModuleRegistry {
  const options = remoteOptions({
    ca: { file: config.MODULE_CA, name: 'MODULE_CA' },
    proxies: config,
    credentials: credentialFiles(config),
    plainHttp: listed(config.MODULE_PLAIN_HTTP),
    timeoutMs: config.MODULE_TIMEOUT,
    clock,
  });
  const remote = remoteRegistry(options);
  const folder = config.MODULE_CACHE_DIR ?? join(config.DATA_DIR, 'modules');
  const store = new DiskStore({ folder, maxBytes: config.MODULE_CACHE_BYTES, clock });
  const onProblem = (err: unknown) => log.warn({ err }, 'the cache of modules on disk fails');
  const near = cached(mirrored(remote, { mirrors: mirrorsOf(config.MODULE_MIRRORS), now: options.now }), {
    store,
    onProblem,
  });
  const registries = lastKnown(near, {
    store,
    staleOkMs: config.MODULE_STALE_OK,
    clock,
    onStale: (module, err) => log.warn({ module, err }, 'the registry cannot be asked; its last answer stands in'),
    onProblem,
  });
  return trusted(config, registries, remote);
}

/** @throws naming MODULE_VERIFY, where its file has no public keys. */
function trusted(
  { MODULE_VERIFY }: ModuleSettings,
  registry: ModuleRegistry,
  { referrers }: RemoteRegistry,
): ModuleRegistry {
  if (MODULE_VERIFY === undefined) return registry;
  return signedOnly({ registry, referrers, keys: readPublicKeys(MODULE_VERIFY) });
}

function credentialFiles({ MODULE_CREDENTIALS, DOCKER_CONFIG }: ModuleSettings): DockerConfigFile[] {
  if (MODULE_CREDENTIALS !== undefined) return listed(MODULE_CREDENTIALS).map((path) => ({ path, optional: false }));
  return [dockerLogin(DOCKER_CONFIG)];
}

function mirrorsOf(text: string | undefined): Mirrors {
  const mirrors = new Map<string, string[]>();
  for (const pair of listed(text)) {
    const [registry = '', mirror = ''] = pair.split('=');
    mirrors.set(registry, [...(mirrors.get(registry) ?? []), mirror]);
  }
  return mirrors;
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',');
}
