import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { cached } from '../../../src/modules/cached.ts';
import { DiskStore } from '../../../src/modules/disk-store.ts';
import { lastKnown } from '../../../src/modules/last-known.ts';
import { createModules } from '../../../src/modules/modules.ts';
import type { ModuleRegistry } from '../../../src/modules/registry.ts';
import { failure } from '../failure.ts';
import { blobPath } from '../layout.ts';
import { moduleRegistryContract } from '../module-registry.contract.ts';
import { type DockerRegistry, skipWithoutRegistry as skip, startDockerRegistry } from './docker-registry.ts';
import { publish, REPOSITORY } from './publish.ts';
import { remote } from './remote.ts';

const hour = 3_600_000;

/** The registry as a server has it: with a cache on disk, in a folder of which every call makes a new process's view. */
function keeping(t: Test, { host }: DockerRegistry, options: { clock?: () => number; timeoutMs?: number } = {}) {
  const folder = t.testdir();
  const { clock = Date.now, timeoutMs = 10_000 } = options;
  const problems: unknown[] = [];
  const stale: string[] = [];
  const start = (at = folder): ModuleRegistry => {
    const store = new DiskStore({ folder: at, maxBytes: 64_000_000, clock });
    const onProblem = (error: unknown) => problems.push(error);
    const inner = cached(remote({ plainHttp: [host], timeoutMs }), { store, onProblem });
    const onStale = (reference: string) => stale.push(reference);
    return lastKnown(inner, { store, staleOkMs: 24 * hour, patienceMs: 200, clock, onStale, onProblem });
  };
  return { folder, start, problems, stale, source: `oci://${host}/${REPOSITORY}` };
}

moduleRegistryContract(
  'registry with a cache',
  async (t, options) => {
    const registry = await startDockerRegistry(t);
    await publish(registry, options);
    const { start, source } = keeping(t, registry);
    return { registry: start(), source };
  },
  skip,
);

test('each manifest and blob is asked for once, also after a restart', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { start, source } = keeping(t, registry);
  for (let restart = 0; restart < 3; restart += 1) {
    t.equal((await createModules({ registry: start() }).resolve({ source, tag: '1.0' })).digest, manifest);
  }
  const reads = (await registry.pulls()).filter((line) => line.startsWith('GET'));
  t.equal(reads.length, 3, 'manifest, config and layer');
});

test('while the registry is down, a restarted process serves what it had, by tag and by digest', {
  skip,
}, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { start, source, stale } = keeping(t, registry);
  await createModules({ registry: start() }).resolve({ source, tag: '1.0' });
  await createModules({ registry: start() }).resolve({ source: `${source}@${manifest}` });
  await registry.kill();
  const modules = createModules({ registry: start() });
  t.equal((await modules.resolve({ source, tag: '1.0' })).digest, manifest);
  t.equal((await modules.resolve({ source: `${source}@${manifest}` })).digest, manifest);
  t.same(stale, [`${registry.host}/${REPOSITORY}:1.0`, `${registry.host}/${REPOSITORY}@${manifest}`]);
  t.match(await failure(modules.resolve({ source, tag: '2.0' })), { reason: 'unavailable', message: /ECONNREFUSED/ });
});

test('a registry that hangs is waited for shortly where an older answer stands in', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { start, source, stale } = keeping(t, registry, { timeoutMs: 60_000 });
  await createModules({ registry: start() }).resolve({ source, tag: '1.0' });
  registry.pause();
  t.equal((await createModules({ registry: start() }).resolve({ source, tag: '1.0' })).digest, manifest);
  t.equal(stale.length, 1);
  registry.resume();
});

test('a tag stands for what it last did for MODULE_STALE_OK, and a digest for ever', { skip }, async (t) => {
  let now = Date.now();
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { start, source } = keeping(t, registry, { clock: () => now });
  const pinned = { source: `${source}@${manifest}` };
  const resolve = (reference: { source: string; tag?: string }) =>
    createModules({ registry: start() }).resolve(reference);
  await resolve({ source, tag: '1.0' });
  await resolve(pinned);
  await registry.kill();
  now += 24 * hour - 1;
  t.equal((await resolve({ source, tag: '1.0' })).digest, manifest);
  now += 1;
  t.match(await failure(resolve({ source, tag: '1.0' })), {
    reason: 'unavailable',
    message: /ECONNREFUSED; .* too old/,
  });
  t.equal((await resolve(pinned)).digest, manifest);
  await registry.start();
  t.equal((await resolve({ source, tag: '1.0' })).digest, manifest, 'and the registry is asked again');
});

test('in one process too, a tag fails when its last answer is too old', { skip }, async (t) => {
  let now = Date.now();
  const registry = await startDockerRegistry(t);
  await publish(registry);
  const { start, source } = keeping(t, registry, { clock: () => now });
  const modules = createModules({ registry: start(), now: () => now });
  await modules.resolve({ source, tag: '1.0' });
  await registry.kill();
  now += hour;
  await modules.resolve({ source, tag: '1.0' });
  now += 23 * hour;
  t.match(await failure(modules.resolve({ source, tag: '1.0' })), { reason: 'unavailable', message: /too old/ });
});

test('a tag that the registry does not have any more fails, whatever is kept', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  await publish(registry);
  const { start, source } = keeping(t, registry);
  await createModules({ registry: start() }).resolve({ source, tag: '1.0' });
  rmSync(join(registry.folder, `data/docker/registry/v2/repositories/${REPOSITORY}/_manifests/tags/1.0`), {
    recursive: true,
  });
  const error = await failure(createModules({ registry: start() }).resolve({ source, tag: '1.0' }));
  t.match(error, { reason: 'unavailable', message: /was not found: registry .* answers 404/ });
});

test('a tag that moves is followed, and the digest says which module renders', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  const before = await publish(registry);
  const { start, source } = keeping(t, registry);
  t.equal((await createModules({ registry: start() }).resolve({ source, tag: '1.0' })).digest, before.manifest);
  const after = await publish(registry, { manifest: { annotations: { moved: 'yes' } } });
  t.equal((await createModules({ registry: start() }).resolve({ source, tag: '1.0' })).digest, after.manifest);
});

test('what was damaged on the disk is pulled again, and mended', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest, layer } = await publish(registry);
  const { start, source, folder } = keeping(t, registry);
  await createModules({ registry: start() }).resolve({ source, tag: '1.0' });
  const good = readFileSync(blobPath(folder, layer));
  for (const damaged of [Buffer.alloc(good.length), good.subarray(1), Buffer.alloc(0)]) {
    writeFileSync(blobPath(folder, layer), damaged);
    t.equal((await createModules({ registry: start() }).resolve({ source, tag: '1.0' })).digest, manifest);
    t.ok(readFileSync(blobPath(folder, layer)).equals(good));
  }
  for (const name of readdirSync(join(folder, 'references'))) writeFileSync(join(folder, 'references', name), '{');
  t.equal((await createModules({ registry: start() }).resolve({ source, tag: '1.0' })).digest, manifest);
});

test('a disk that cannot be written to, or read, costs the cache only', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { start, source, folder, problems } = keeping(t, registry);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const modules = createModules({ registry: start(join(file, 'no/folder')) });
  t.equal((await modules.resolve({ source, tag: '1.0' })).digest, manifest);
  t.match(problems, [{ code: 'ENOTDIR' }]);
});
