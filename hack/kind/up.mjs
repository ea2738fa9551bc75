// `npm run kind:up`: a cluster of kind to try the chart on, with a kubeconfig of its own. Where it is up already, nothing
// happens to it. Plain JavaScript, as install.mjs.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { need, output, run } from './run.mjs';
import { cluster, kubeconfig, nodeImage, port, root } from './settings.mjs';

const WAIT = '180s';

need('docker', 'kind', 'kubectl');
mkdirSync(dirname(kubeconfig), { recursive: true });
const clusters = output('kind', ['get', 'clusters']) ?? '';
if (clusters.split('\n').includes(cluster)) run('kind', ['export', 'kubeconfig', '--name', cluster]);
else {
  const image = nodeImage ? ['--image', nodeImage] : [];
  const config = readFileSync(`${root}hack/kind/cluster.yaml`, 'utf8');
  const input = config.replace('hostPort: 30080', `hostPort: ${port}`);
  run('kind', ['create', 'cluster', '--name', cluster, '--config', '-', '--wait', WAIT, ...image], { input });
}
// kind waits for the node alone; names of Services and volumes work a little later.
for (const [namespace, deployment] of [
  ['kube-system', 'coredns'],
  ['local-path-storage', 'local-path-provisioner'],
]) {
  run('kubectl', ['--namespace', namespace, 'rollout', 'status', `deployment/${deployment}`, `--timeout=${WAIT}`]);
}
console.log(`
The cluster ${cluster} is up. For kubectl and helm:
  export KUBECONFIG=${kubeconfig}

Next: npm run kind:load && npm run kind:install
`);
