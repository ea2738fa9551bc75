import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Test, test } from 'tap';
import { MANIFEST_MEDIA_TYPE } from '../../../src/modules/manifest.ts';
import { runMain } from '../../process.ts';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { layout, MODULE_YAML, tar } from '../layout.ts';
import { type HostileCase, hostileCases } from './hostile-modules.ts';
import { order, templateFor } from './order.ts';
import { asInProduction, peakMemory } from './peak-memory.ts';

/** Most memory that the whole service may take at any time, in bytes. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
/** How long the service may need for a sign of life, in milliseconds; slow machines included. */
const HEALTH_MS = 5000;

/** A registry with a repository for each case. */
async function startRegistry(
  t: Test,
  cases: Record<string, Pick<HostileCase, 'module' | 'interfere'>>,
): Promise<string> {
  const modules = new Map<string, Awaited<ReturnType<typeof layout>>>();
  for (const [name, { module }] of Object.entries(cases)) {
    // Content of its own: what two have in common is asked of one of them only.
    const layer = gzipSync(await tar([{ name: 'module.yaml', content: `${MODULE_YAML}# ${name}\n` }]));
    modules.set(name, await layout({ layer, ...module }));
  }
  const server = createServer((request, response): void => {
    const [, name = '', path = ''] = /^\/v2\/([^/]+)\/(.+)$/.exec(request.url ?? '') ?? [];
    const found = modules.get(name);
    if (found === undefined) return void response.writeHead(404).end();
    if (cases[name]?.interfere?.(path, response)) return;
    const digest = path.endsWith('1.0') ? found.manifest : path.slice(path.indexOf('/') + 1);
    const content = found.folder.blobs.sha256[digest.replace('sha256:', '')];
    if (!(content instanceof Buffer)) return void response.writeHead(404).end();
    const headers = { 'docker-content-digest': digest, 'content-length': content.length };
    response.writeHead(200, { ...headers, 'content-type': MANIFEST_MEDIA_TYPE });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  return listenOnLoopback(t, server);
}

test('every hostile module is refused with a clear error, within its limits, while the service stays responsive', async (t) => {
  const hostile = await hostileCases();
  const cases = { ...hostile, good: {} };
  const host = await startRegistry(t, cases);
  const templates = Object.keys(cases).map((name) => [`${name}.yaml`, templateFor(name, `oci://${host}/${name}`)]);
  const folder = t.testdir({ templates: Object.fromEntries(templates), data: {} });
  const { url, child, exited } = await runMain(t, {
    TEMPLATES_DIR: `${folder}/templates`,
    DATA_DIR: `${folder}/data`,
    MODULE_PLAIN_HTTP: host,
    MODULE_TIMEOUT: '3s',
    ...asInProduction,
  });

  let isOver = false;
  const health = (async () => {
    let answers = 0;
    for (; !isOver; answers += 1) {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) });
      if (response.status !== 200) throw new Error(`/health answers ${response.status}`);
    }
    return answers;
  })();
  const names = Object.keys(hostile);
  const results = await Promise.all([...names, 'good'].map((name) => order(url, name)));
  isOver = true;
  t.ok((await health) > 0, '/health answered all the while');

  t.match(results.pop(), { status: 200, body: { status: 'success' } }, 'a good module beside them renders');
  for (const [index, name] of names.entries()) {
    const { code, message } = hostile[name] ?? {};
    t.match(results[index], { body: { status: 'error', error: { code, message } } }, name);
  }
  const peak = peakMemory(child.pid);
  if (peak === undefined) t.comment('this system does not tell the memory of a process');
  else t.ok(peak < MAX_MEMORY_BYTES, `took ${Math.round(peak / 1024 / 1024)} MB at most`);
  child.kill('SIGTERM');
  t.equal(await exited, 0);
});
