// `npm run kind:load`: builds the image, and puts it and that of Redis into the cluster, which then has nothing to pull.
// Plain JavaScript, as install.mjs.
import { readFileSync } from 'node:fs';
import { need, needCluster, output, run } from './run.mjs';
import { chart, cluster, image, imageArgs, redisImage } from './settings.mjs';

need('docker', 'kind');
needCluster();
run('npm', ['run', '-s', 'image', '--', ...imageArgs]);
const redis = redisImage || defaultRedisImage();
if (output('docker', ['image', 'inspect', redis]) === undefined) run('docker', ['pull', redis]);
run('kind', ['load', 'docker-image', '--name', cluster, `${image.repository}:${image.tag}`, redis]);
console.log(`The cluster ${cluster} has ${image.repository}:${image.tag} and ${redis}.`);

/** The image that the chart names. */
function defaultRedisImage() {
  const values = readFileSync(`${chart}/values.yaml`, 'utf8');
  const [redis] = /^redis:\n(?:[ ]+.*\n|\n)+/m.exec(values) ?? [];
  const [registry, repository, tag] = ['registry', 'repository', 'tag'].map(
    (key) => new RegExp(`^    ${key}: (\\S+)$`, 'm').exec(redis ?? '')?.[1],
  );
  if (tag === undefined) throw new Error(`${chart}/values.yaml names no image of Redis`);
  return `${registry}/${repository}:${tag}`;
}
