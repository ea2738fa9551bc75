import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { reasonOf } from '../reason-of.ts';

/** Where Kubernetes puts the credentials of a pod. */
const POD_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * How the cluster is reached: by the kubeconfig file that is named, else as the pod that this runs in, else by the
 * kubeconfig of the user.
 * @throws naming KUBECONFIG, where there is none of them, or it cannot be read.
 */
export function loadKubeConfig(file: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (file === undefined && existsSync(POD_TOKEN)) {
    config.loadFromCluster();
    return config;
  }
  const path = file ?? join(homedir(), '.kube', 'config');
  try {
    config.loadFromFile(path);
  } catch (error) {
    throw new Error(`KUBECONFIG: ${path} cannot be read: ${reasonOf(error)}`);
  }
  if (config.getCurrentCluster() === null) throw new Error(`KUBECONFIG: ${path} has no current context with a cluster`);
  return config;
}

/** The namespace that is used where none is named. */
export function ownNamespace(config: KubeConfig): string {
  return config.getContextObject(config.getCurrentContext())?.namespace || 'default';
}
