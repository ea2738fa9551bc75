// `npm run kind:install`: installs the chart of this repository, or upgrades it, and prints how to go on. What follows it
// goes to helm: `npm run kind:install -- --set replicaCount=3`. Plain JavaScript, as install.mjs.
import { need, needCluster, run } from './run.mjs';
import { chart, image, namespace, port, redisImage } from './settings.mjs';

const WAIT = '5m';

need('kubectl', 'helm');
needCluster();
run('kubectl', ['apply', '--filename', 'hack/kind/namespace.yaml']);
run('helm', [
  ...['upgrade', '--install', namespace, chart, '--namespace', namespace],
  ...['--values', 'hack/kind/values.yaml', '--set-string', `image.tag=${image.tag}`, ...redisValues()],
  ...['--wait', '--timeout', WAIT, ...process.argv.slice(2)],
]);
console.log(`
Frontdesk serves on http://127.0.0.1:${port}. Its token:
  kubectl --namespace ${namespace} get secret frontdesk --output go-template='{{index .data "auth-token" | base64decode}}'

Browse the API at http://127.0.0.1:${port}/docs. After a change: npm run kind:load && npm run kind:install &&
  kubectl --namespace ${namespace} rollout restart deployment/frontdesk
`);

/** `registry/repository:tag` as values; a name without a dot or colon before its first slash has no registry. */
function redisValues() {
  if (!redisImage) return [];
  const [, registry = '', repository, tag] = /^(?:([^/]*[.:][^/]*)\/)?(.+):([^:/]+)$/.exec(redisImage) ?? [];
  if (tag === undefined) {
    console.error(`REDIS_IMAGE: ${redisImage} has no tag`);
    process.exit(1);
  }
  const values = { registry, repository, tag };
  return Object.entries(values).flatMap(([key, value]) => ['--set-string', `redis.image.${key}=${value}`]);
}
