// `npm run kind:down`: deletes the cluster with all that is in it. Plain JavaScript, as install.mjs.
import { rmSync } from 'node:fs';
import { need, run } from './run.mjs';
import { cluster, kubeconfig } from './settings.mjs';

need('docker', 'kind');
run('kind', ['delete', 'cluster', '--name', cluster]);
rmSync(kubeconfig, { force: true });
