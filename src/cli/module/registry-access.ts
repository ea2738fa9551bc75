import { homedir } from 'node:os';
import { join } from 'node:path';
import { backOff } from '../../back-off.ts';
import type { Reference } from '../../modules/reference.ts';
import { dockerConfig } from '../../modules/remote/docker-config.ts';
import { createExchange } from '../../modules/remote/exchange.ts';
import { registryTrust } from '../../modules/remote/registry-trust.ts';
import type { RemoteOptions } from '../../modules/remote/remote-registry.ts';
import type { RegistryFlags } from './registry-flags.ts';

/** Longest time for a whole push, or for one thing that is pulled, in milliseconds. */
const TIMEOUT_MS = 120_000;
/** Pauses between tries, in milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

/** How the registry of `reference` is reached; with the credentials of the Docker config file, as `docker login` keeps them. */
export function registryAccess({ registry }: Reference, { plainHttp, caFile }: RegistryFlags): RemoteOptions {
  const { DOCKER_CONFIG, HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = process.env;
  const proxyEnv = Object.fromEntries(
    Object.entries({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY }).filter((entry): entry is [string, string] => !!entry[1]),
  );
  const path = join(DOCKER_CONFIG ?? join(homedir(), '.docker'), 'config.json');
  return {
    exchange: createExchange({ secureContext: registryTrust(caFile, '--ca-file'), proxyEnv }),
    credentials: dockerConfig([{ path, optional: true }]),
    plainHttp: new Set(plainHttp ? [registry] : []),
    timeoutMs: TIMEOUT_MS,
    pause: backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, Math.random),
    clock: Date.now,
    now: () => performance.now(),
  };
}
