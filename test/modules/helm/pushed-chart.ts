import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Test } from 'tap';
import { digestOf } from '../../../src/modules/digest.ts';
import { MANIFEST_MEDIA_TYPE, ManifestSchema, parseJson, REF_NAME_ANNOTATION } from '../../../src/modules/manifest.ts';
import { BackgroundProgram } from '../../programs/background-program.ts';
import { isMissing } from '../../programs/run-program.ts';
import { until } from '../../programs/until.ts';

const run = promisify(execFile);
/** How long a start may take, in milliseconds. */
const START_MS = 10_000;

/**
 * A layout in `folder` with what `helm package` and `helm push` make of a chart, on a real registry.
 * @returns why not, where the machine has no `docker-registry`.
 */
export async function pushedChart(
  t: Test,
  { helm, chart, name, folder }: { helm: string; chart: string; name: string; folder: string },
): Promise<{ missing: string } | undefined> {
  await mkdir(folder, { recursive: true });
  const registry = await startRegistry(t, join(folder, 'registry'));
  if (typeof registry !== 'string') return registry;
  const options = { env: { HOME: folder, PATH: '' } };
  await run(helm, ['package', chart, '--destination', folder], options);
  await run(helm, ['push', join(folder, `${name}-0.1.0.tgz`), `oci://${registry}/modules`, '--plain-http'], options);
  await copy(`http://${registry}/v2/modules/${name}`, '0.1.0', { folder, as: `registry.test/modules/${name}:0.1.0` });
  return undefined;
}

async function startRegistry(t: Test, folder: string): Promise<string | { missing: string }> {
  const address = `127.0.0.1:${await freePort()}`;
  await mkdir(folder);
  const config = { version: '0.1', storage: { filesystem: { rootdirectory: folder } }, http: { addr: address } };
  await writeFile(join(folder, 'config.yml'), JSON.stringify(config));
  try {
    const program = await BackgroundProgram.spawn('docker-registry', ['serve', join(folder, 'config.yml')], folder);
    t.teardown(() => program.end('SIGKILL'));
    const isUp = async () => (await fetch(`http://${address}/v2/`)).ok;
    await until(isUp, START_MS, () => new Error(`docker-registry does not serve: ${program.output}`));
    return address;
  } catch (error) {
    if (isMissing(error)) return { missing: 'docker-registry is not in PATH' };
    throw error;
  }
}

/** Copies an artifact from the registry into a layout. */
async function copy(url: string, tag: string, { folder, as }: { folder: string; as: string }): Promise<void> {
  const blobs = join(folder, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const get = async (path: string) => {
    const response = await fetch(`${url}/${path}`, { headers: { accept: MANIFEST_MEDIA_TYPE } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const digest = digestOf(bytes);
    await writeFile(join(blobs, digest.slice('sha256:'.length)), bytes);
    return { bytes, digest };
  };
  const { bytes, digest } = await get(`manifests/${tag}`);
  const { config, layers } = parseJson(ManifestSchema, bytes, 'manifest');
  for (const part of [config, ...layers]) await get(`blobs/${part.digest}`);
  const entry = {
    mediaType: MANIFEST_MEDIA_TYPE,
    digest,
    size: bytes.length,
    annotations: { [REF_NAME_ANNOTATION]: as },
  };
  await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }));
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = Value.Parse(Type.Object({ port: Type.Integer() }), server.address());
    server.close(() => resolve(port));
  });
  return promise;
}
