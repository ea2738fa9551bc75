import type { Reference } from '../../modules/reference.ts';
import { dockerLogin, remoteOptions } from '../../modules/remote/remote-options.ts';
import type { RemoteOptions } from '../../modules/remote/remote-registry.ts';
import type { RegistryFlags } from './registry-flags.ts';

/** Longest time for a whole push, or for one thing that is pulled, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** How the registry of `reference` is reached; with the credentials of the Docker config file, as `docker login` keeps them. */
export function registryAccess({ registry }: Reference, { plainHttp, caFile }: RegistryFlags): RemoteOptions {
  const { DOCKER_CONFIG, HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = process.env;
  return remoteOptions({
    ca: { file: caFile, name: '--ca-file' },
    proxies: { HTTPS_PROXY, HTTP_PROXY, NO_PROXY },
    credentials: [dockerLogin(DOCKER_CONFIG)],
    plainHttp: plainHttp ? [registry] : [],
    timeoutMs: TIMEOUT_MS,
    clock: Date.now,
  });
}
