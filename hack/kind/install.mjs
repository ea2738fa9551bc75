// `npm run kind:install`: installs the chart of this repository, or upgrades it, and prints how to go on. What follows it
// goes to helm: `npm run kind:install -- --set replicaCount=3`. Plain JavaScript, as install.mjs.
import { imageValues } from './image-values.mjs';
import { need, needCluster, run } from './run.mjs';
import { chart, namespace, port } from './settings.mjs';

const WAIT = '5m';
const values = Object.entries(imageValues()).flatMap(([path, value]) => ['--set-string', `${path}=${value}`]);

need('kubectl', 'helm');
needCluster();
run('kubectl', ['apply', '--filename', 'hack/kind/namespace.yaml']);
run('helm', [
  ...['upgrade', '--install', namespace, chart, '--namespace', namespace],
  ...['--values', 'hack/kind/values.yaml', ...values],
  ...['--wait', '--timeout', WAIT, ...process.argv.slice(2)],
]);
console.log(`
Frontdesk serves on http://127.0.0.1:${port}. Its token:
  kubectl --namespace ${namespace} get secret frontdesk --output go-template='{{index .data "auth-token" | base64decode}}'

Browse the API at http://127.0.0.1:${port}/docs. After a change: npm run kind:load && npm run kind:install &&
  kubectl --namespace ${namespace} rollout restart deployment/frontdesk
`);
