import { ModuleError } from '../module.ts';
import { DOCKER_HUB } from './docker-hub.ts';

/**
 * Where something of a repository is to be asked for.
 * @throws {ModuleError} `invalid` if the registry's name, which a reference has checked in form only, is no host.
 */
export function repositoryUrl(
  { registry, repository, plainHttp }: { registry: string; repository: string; plainHttp: boolean },
  path: string,
): URL {
  const host = registry === DOCKER_HUB.registry ? DOCKER_HUB.host : registry;
  const text = `${plainHttp ? 'http' : 'https'}://${host}/v2/${repository}/${path}`;
  if (!URL.canParse(text)) throw new ModuleError('invalid', `${JSON.stringify(registry)} is not a host of a registry`);
  return new URL(text);
}
