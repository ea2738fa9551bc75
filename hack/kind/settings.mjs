// What the scripts of this folder take from the environment. All of it can be left out.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const env = process.env;

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Name of the cluster, also among the clusters of kind. */
export const cluster = env.KIND_CLUSTER || 'frontdesk';

/** A file of its own: nobody's default context is touched. */
export const kubeconfig = `${root}build/kind/${cluster}.kubeconfig`;

/** Image of the nodes; that of kind unless set. */
export const nodeImage = env.KIND_NODE_IMAGE;

/** Port on loopback that leads to the NodePort 30080 of the cluster. */
export const port = portIn(env.KIND_PORT || '30080');

/** The image that `npm run image` makes. */
export const image = {
  repository: 'frontdesk',
  tag: JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version,
};

/** What `npm run image` is given, such as `--prebuilt --build-arg NODE_IMAGE=…`. */
export const imageArgs = (env.IMAGE_ARGS || '').split(' ').filter((arg) => arg !== '');

/** In place of the Redis image of the chart, for engines that cannot pull it. */
export const redisImage = env.REDIS_IMAGE;

/** Of the release, which has its name too. */
export const namespace = 'frontdesk';
export const chart = `${root}charts/frontdesk`;

function portIn(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  console.error(`KIND_PORT: must be a port from 1 to 65535, not ${JSON.stringify(text)}`);
  process.exit(1);
}
