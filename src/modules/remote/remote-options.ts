import { homedir } from 'node:os';
import { join } from 'node:path';
import { backOff } from '../../back-off.ts';
import { type DockerConfigFile, dockerConfig } from './docker-config.ts';
import { createExchange } from './exchange.ts';
import { registryTrust } from './registry-trust.ts';
import type { RemoteOptions } from './remote-registry.ts';

/** Pauses between tries, in milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

/** How registries are reached, by the settings that people make. */
export interface ReachSettings extends Pick<RemoteOptions, 'timeoutMs' | 'clock'> {
  /** PEM file of authorities beside the usual ones, and the name of that setting. */
  ca: { file: string | undefined; name: string };
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; empty ones count as not set. */
  proxies: { HTTPS_PROXY?: string | undefined; HTTP_PROXY?: string | undefined; NO_PROXY?: string | undefined };
  credentials: readonly DockerConfigFile[];
  plainHttp: readonly string[];
}

/** @throws naming the setting, where the file of authorities has no certificate. */
export function remoteOptions({ ca, proxies, credentials, plainHttp, ...times }: ReachSettings): RemoteOptions {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = proxies;
  const proxyEnv = {
    ...(HTTPS_PROXY && { HTTPS_PROXY }),
    ...(HTTP_PROXY && { HTTP_PROXY }),
    ...(NO_PROXY && { NO_PROXY }),
  };
  return {
    exchange: createExchange({ secureContext: registryTrust(ca.file, ca.name), proxyEnv }),
    credentials: dockerConfig(credentials),
    plainHttp: new Set(plainHttp),
    pause: backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, Math.random),
    now: () => performance.now(),
    ...times,
  };
}

/** The file that `docker login` writes, if there is one. */
export function dockerLogin(dockerConfigFolder: string | undefined): DockerConfigFile {
  return { path: join(dockerConfigFolder ?? join(homedir(), '.docker'), 'config.json'), optional: true };
}
