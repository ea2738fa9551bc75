import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of the API server that tests run against; crds/ needs 1.30 at least. */
export const KUBERNETES_VERSION = '1.34.4';

const { KUBEBUILDER_ASSETS, XDG_CACHE_HOME } = process.env;

/** Where `kube-assets.mjs` puts them: outside the repository, so that all clones share them. */
export const ownKubeAssets = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'frontdesk', 'kube', KUBERNETES_VERSION);

/**
 * The folder with `kube-apiserver`, `etcd` and `kubectl`: the one that KUBEBUILDER_ASSETS names, by the convention of
 * envtest, else the own one; undefined where neither has them. https://book.kubebuilder.io/reference/envtest
 */
export function kubeAssetsFolder() {
  return [KUBEBUILDER_ASSETS, ownKubeAssets].find((folder) => folder && hasKubeAssets(folder));
}

/** @param {string} folder */
export function hasKubeAssets(folder) {
  return ['kube-apiserver', 'etcd', 'kubectl'].every((program) => existsSync(join(folder, program)));
}
