import type { KubeConfig } from '@kubernetes/client-node';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { OpenSource } from './catalog-source.ts';
import { FolderSource } from './folder-source.ts';
import type { KubernetesSource } from './kubernetes-source.ts';
import type { TemplateResource } from './template-resource.ts';

/** The cluster that templates come from, for what is done there beyond reading them. */
export interface Cluster {
  config: KubeConfig;
  /** That of this process. */
  namespace: string;
  /** The templates as they are there now. */
  resources: () => readonly TemplateResource[];
  /** Has `listener` called after each change of them that the catalog does not tell of. */
  follow: (listener: () => void) => void;
}

export interface OpenSources {
  /** By name, in the order of precedence. */
  sources: Record<string, OpenSource>;
  /** Where one of them is a cluster. */
  cluster: Cluster | undefined;
}

/**
 * The sources that `config` asks for, in its order. The Kubernetes client is loaded where it is needed only: it
 * takes as much memory as everything else.
 * @throws if the cluster's configuration cannot be read.
 */
export async function openSources(config: Config, clock: () => number, log: FastifyBaseLogger): Promise<OpenSources> {
  const sources: Record<string, OpenSource> = {};
  let cluster: Cluster | undefined;
  for (const name of config.CATALOG_SOURCES.split(',')) {
    if (name === 'kubernetes') ({ open: sources[name], cluster } = await kubernetes(config, clock, log));
    else sources[name] = folder(config, clock, log);
  }
  return { sources, cluster };
}

function folder({ TEMPLATES_DIR: dir }: Config, clock: () => number, log: FastifyBaseLogger): OpenSource {
  return (onChange) => new FolderSource({ dir, onChange, clock, log });
}

async function kubernetes(
  { KUBECONFIG, WATCH_NAMESPACES }: Config,
  clock: () => number,
  log: FastifyBaseLogger,
): Promise<{ open: OpenSource; cluster: Cluster }> {
  const { loadKubeConfig, ownNamespace } = await import('../kubernetes/kube-config.ts');
  const { KubernetesSource: Source } = await import('./kubernetes-source.ts');
  const config = loadKubeConfig(KUBECONFIG);
  const namespace = ownNamespace(config);
  const namespaces = WATCH_NAMESPACES === '*' ? 'all' : (WATCH_NAMESPACES ?? namespace).split(',');
  const listeners: (() => void)[] = [];
  const onResources = () => {
    for (const listener of listeners) listener();
  };
  let source: KubernetesSource | undefined;
  const open: OpenSource = (onChange) => {
    source = new Source({ config, namespaces, onChange, onResources, clock, random: Math.random, log });
    return source;
  };
  const follow = (listener: () => void) => {
    listeners.push(listener);
  };
  return { open, cluster: { config, namespace, resources: () => source?.resources ?? [], follow } };
}
