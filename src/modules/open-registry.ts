import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { backOff } from '../back-off.ts';
import type { Config } from '../config.ts';
import { cached } from './cached.ts';
import { DiskStore } from './disk-store.ts';
import { firstOf } from './first-of.ts';
import { lastKnown } from './last-known.ts';
import { type Mirrors, mirrored } from './mirrored.ts';
import { ociLayout } from './oci-layout.ts';
import type { ModuleRegistry } from './registry.ts';
import { type DockerConfigFile, dockerConfig } from './remote/docker-config.ts';
import { createExchange } from './remote/exchange.ts';
import { registryTrust } from './remote/registry-trust.ts';
import { type RemoteRegistry, remoteRegistry } from './remote/remote-registry.ts';
import { readPublicKeys } from './signature/public-keys.ts';
import { signedOnly } from './signature/signed-only.ts';

/** Pauses between tries, in milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

/**
 * Where this process has its modules from: the layout, then what is kept of registries, then their mirrors, then they.
 * @throws naming MODULE_CA or MODULE_VERIFY, where its file has no certificate or key.
 */
export function openRegistry(config: Config, clock: () => number, log: FastifyBaseLogger): ModuleRegistry {
  const now = () => performance.now();
  const remote = remoteRegistry({
    exchange: createExchange({ secureContext: registryTrust(config.MODULE_CA), proxyEnv: proxies(config) }),
    credentials: dockerConfig(credentialFiles(config)),
    plainHttp: new Set(listed(config.MODULE_PLAIN_HTTP)),
    timeoutMs: config.MODULE_TIMEOUT,
    pause: backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, Math.random),
    clock,
    now,
  });
  const folder = config.MODULE_CACHE_DIR ?? join(config.DATA_DIR, 'modules');
  const store = new DiskStore({ folder, maxBytes: config.MODULE_CACHE_BYTES, clock });
  const onProblem = (err: unknown) => log.warn({ err }, 'the cache of modules on disk fails');
  const near = cached(mirrored(remote, { mirrors: mirrorsOf(config.MODULE_MIRRORS), now }), { store, onProblem });
  const registries = lastKnown(near, {
    store,
    staleOkMs: config.MODULE_STALE_OK,
    clock,
    onStale: (module, err) => log.warn({ module, err }, 'the registry cannot be asked; its last answer stands in'),
    onProblem,
  });
  // What came with this process is trusted as that is.
  return firstOf(ociLayout(config.MODULES_DIR), trusted(config, registries, remote));
}

/** @throws naming MODULE_VERIFY, where its file has no public keys. */
function trusted({ MODULE_VERIFY }: Config, registry: ModuleRegistry, { referrers }: RemoteRegistry): ModuleRegistry {
  if (MODULE_VERIFY === undefined) return registry;
  return signedOnly({ registry, referrers, keys: readPublicKeys(MODULE_VERIFY) });
}

function credentialFiles({ MODULE_CREDENTIALS, DOCKER_CONFIG }: Config): DockerConfigFile[] {
  if (MODULE_CREDENTIALS !== undefined) return listed(MODULE_CREDENTIALS).map((path) => ({ path, optional: false }));
  return [{ path: join(DOCKER_CONFIG ?? join(homedir(), '.docker'), 'config.json'), optional: true }];
}

function mirrorsOf(text: string | undefined): Mirrors {
  const mirrors = new Map<string, string[]>();
  for (const pair of listed(text)) {
    const [registry = '', mirror = ''] = pair.split('=');
    mirrors.set(registry, [...(mirrors.get(registry) ?? []), mirror]);
  }
  return mirrors;
}

function proxies({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY }: Config): Record<string, string> {
  return {
    ...(HTTPS_PROXY !== undefined && { HTTPS_PROXY }),
    ...(HTTP_PROXY !== undefined && { HTTP_PROXY }),
    ...(NO_PROXY !== undefined && { NO_PROXY }),
  };
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',');
}
