import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { OpenSource } from './catalog-source.ts';
import { FolderSource } from './folder-source.ts';

/**
 * The sources that `config` asks for, by name, in its order. The Kubernetes client is loaded where it is needed only: it
 * takes as much memory as everything else.
 * @throws if the cluster's configuration cannot be read.
 */
export async function openSources(
  config: Config,
  clock: () => number,
  log: FastifyBaseLogger,
): Promise<Record<string, OpenSource>> {
  const sources: Record<string, OpenSource> = {};
  for (const name of config.CATALOG_SOURCES.split(',')) {
    sources[name] = name === 'kubernetes' ? await kubernetes(config, clock, log) : folder(config, clock, log);
  }
  return sources;
}

function folder({ TEMPLATES_DIR: dir }: Config, clock: () => number, log: FastifyBaseLogger): OpenSource {
  return (onChange) => new FolderSource({ dir, onChange, clock, log });
}

async function kubernetes(
  { KUBECONFIG, WATCH_NAMESPACES }: Config,
  clock: () => number,
  log: FastifyBaseLogger,
): Promise<OpenSource> {
  const { loadKubeConfig, ownNamespace } = await import('../kubernetes/kube-config.ts');
  const { KubernetesSource } = await import('./kubernetes-source.ts');
  const config = loadKubeConfig(KUBECONFIG);
  const namespaces = WATCH_NAMESPACES === '*' ? 'all' : (WATCH_NAMESPACES ?? ownNamespace(config)).split(',');
  return (onChange) => new KubernetesSource({ config, namespaces, onChange, clock, random: Math.random, log });
}
