import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { MAX_UNPACKED_BYTES } from '../../../src/modules/unpack.ts';
import { type LayoutOptions, MODULE_YAML, tar } from '../layout.ts';

/** Something that a registry or a module does to those who ask for it, and what they are to be told. */
export interface HostileCase {
  module?: LayoutOptions;
  /** Answers for a path below the repository in place of the registry, or leaves it to it by giving false. */
  interfere?: (path: string, response: ServerResponse) => boolean;
  code: 'MODULE_INVALID' | 'MODULE_UNAVAILABLE' | 'RENDER_FAILED';
  message: RegExp;
}

type Entry = Parameters<typeof tar>[0][number];

const invalid = (module: LayoutOptions, message: RegExp): HostileCase => ({ module, code: 'MODULE_INVALID', message });
const archive = async (entry: Entry, message: RegExp) => invalid({ layer: gzipSync(await tar([entry])) }, message);
const yaml = (content: string, message: RegExp) => archive({ name: 'module.yaml', content }, message);
const isBlob = (path: string) => path.startsWith('blobs/');

/** A case of each kind, by name; the names are good for repositories. */
export async function hostileCases(): Promise<Record<string, HostileCase>> {
  return { ...wrongSizes(), ...(await wrongArchives()), ...(await wrongContents()), ...wrongServers() };
}

function wrongSizes(): Record<string, HostileCase> {
  const tenGigabytes = 10_000_000_000;
  return {
    'zip-bomb': invalid(
      { layer: gzipSync(Buffer.alloc(16 * MAX_UNPACKED_BYTES)) },
      /unpacks to more than 8388608 bytes/,
    ),
    'claims-10-gigabytes': invalid({ layerDescriptor: { size: tenGigabytes } }, /has 10000000000 bytes, more than/),
    'manifest-claims-more': invalid({ manifest: { long: 'x'.repeat(100_000) } }, /manifest .* more than 65536/),
    'sends-without-end': {
      interfere: (path, response) => isBlob(path) && pour(response, {}),
      code: 'MODULE_INVALID',
      message: /should have \d+ bytes, but has more/,
    },
    'sends-10-gigabytes': {
      interfere: (path, response) => isBlob(path) && pour(response, { 'content-length': tenGigabytes }),
      code: 'MODULE_INVALID',
      message: /should have \d+ bytes, but has more/,
    },
    'wrong-digest': {
      module: { config: { engine: 'cel', of: 'wrong-digest' } },
      interfere: (path, response) => isBlob(path) && response.end('{"engine":"sh!","of":"wrong-digest"}') !== undefined,
      code: 'MODULE_INVALID',
      message: /has other content/,
    },
  };
}

async function wrongArchives(): Promise<Record<string, HostileCase>> {
  const noPlainFile = /no plain file or folder/;
  const notAllowed = /is not allowed/;
  const link = { name: 'module.yaml', linkname: '/etc/passwd' };
  return {
    'parent-path': await archive({ name: '../../etc/cron.d/x', content: 'x' }, notAllowed),
    'hidden-parent-path': await archive({ name: 'a/../../x', content: 'x' }, notAllowed),
    'absolute-path': await archive({ name: '/etc/passwd', content: 'x' }, notAllowed),
    'symbolic-link': await archive({ ...link, type: 'symlink' }, noPlainFile),
    'hard-link': await archive({ ...link, type: 'link' }, noPlainFile),
    'character-device': await archive({ name: 'module.yaml', type: 'character-device' }, noPlainFile),
    'block-device': await archive({ name: 'module.yaml', type: 'block-device' }, noPlainFile),
    fifo: await archive({ name: 'module.yaml', type: 'fifo' }, noPlainFile),
    'million-entries': invalid({ layer: await millionEntries() }, /layer .* more than 2097152/),
    'many-entries': invalid({ layer: gzipSync(await manyEntries(10_000)) }, /more than 256 entries/),
    'entry-of-10-gigabytes': invalid({ layer: gzipSync(await oversizedEntry()) }, /not a valid tar/),
    'no-gzip': invalid({ layer: Buffer.from('x'.repeat(1000)) }, /not valid gzip/),
  };
}

async function wrongContents(): Promise<Record<string, HostileCase>> {
  const bomb = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n');
  const exploding = `\${[parameters.name]${'.map(e, e + e)'.repeat(40)}[0]}`;
  const expression = (text: string) => MODULE_YAML.replace('${parameters.name}', text);
  return {
    'wrong-artifact-type': invalid({ manifest: { artifactType: 'application/vnd.other' } }, /no Frontdesk module/),
    'wrong-layer-type': invalid(
      { layerDescriptor: { mediaType: 'application/zip' } },
      /no Frontdesk module|its layer is/,
    ),
    'unknown-engine': invalid({ config: { engine: 'sh' } }, /engine "sh"/),
    'alias-bomb': await yaml(`a0: &a0 [x]\n${bomb}\n`, /anchor|alias/i),
    'deep-yaml': await yaml('['.repeat(250_000), /nested too deep/),
    'deep-yaml-without-brackets': await yaml('- '.repeat(125_000), /nested too deep/),
    'two-documents': await yaml(`${MODULE_YAML}---\n${MODULE_YAML}`, /module.yaml/),
    'exploding-expression': {
      ...(await yaml(expression(exploding), /longer than|takes more than/)),
      code: 'RENDER_FAILED',
    },
    'endless-expression': {
      ...(await yaml(expression(nested(8)), /takes more than/)),
      code: 'RENDER_FAILED',
    },
  };
}

/** An expression that would take 20 to the power of `depth` steps. */
function nested(depth: number): string {
  const list = JSON.stringify(Array.from({ length: 20 }, (_, i) => i));
  const loops = Array.from({ length: depth }, (_, i) => `${list}.all(v${i}, `);
  return `\${string(${loops.join('')}true${')'.repeat(depth)})}`;
}

function wrongServers(): Record<string, HostileCase> {
  const tooLate = { code: 'MODULE_UNAVAILABLE', message: /^registry \S+ did not answer in time$/ } as const;
  return {
    'endless-redirect': {
      interfere: (path, response) => response.writeHead(302, { location: `${path}x` }).end() !== undefined,
      code: 'MODULE_UNAVAILABLE',
      message: /redirects more than 5 times/,
    },
    'never-answers': { interfere: () => true, ...tooLate },
    'never-answers-for-a-blob': { interfere: isBlob, ...tooLate },
    'slow-drip': { interfere: (path, response) => isBlob(path) && drip(response), ...tooLate },
    'breaks-off': {
      interfere: (path, response) => isBlob(path) && response.destroy() !== undefined,
      code: 'MODULE_UNAVAILABLE',
      message: /cannot be reached: ECONNRESET|did not answer in time/,
    },
    'huge-headers': {
      interfere: (_path, response) => response.writeHead(200, { x: 'y'.repeat(1_000_000) }).end() !== undefined,
      code: 'MODULE_UNAVAILABLE',
      message: /HPE_HEADER_OVERFLOW|did not answer in time/,
    },
  };
}

/** Sends as much as is taken, until nobody takes any more. */
function pour(response: ServerResponse, headers: Record<string, number>): true {
  response.writeHead(200, headers);
  const chunk = Buffer.alloc(65_536);
  pipeline(Readable.from(forEver(chunk)), response, () => undefined);
  return true;
}

function* forEver(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}

function drip(response: ServerResponse): true {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 500);
  response.on('close', () => clearInterval(timer));
  return true;
}

async function manyEntries(count: number): Promise<Buffer> {
  return tar(Array.from({ length: count }, (_, i) => ({ name: `f${i}` })));
}

/** One header of an empty file, a million times. */
async function millionEntries(): Promise<Buffer> {
  const header = (await tar([{ name: 'f' }])).subarray(0, 512);
  const chunk = Buffer.concat(Array<Buffer>(1000).fill(header));
  return buffer(Readable.from(Array<Buffer>(1000).fill(chunk)).pipe(createGzip({ level: 1 })));
}

/** A header that promises as much as its field takes without tricks, nearly ten gigabytes, and then nothing. */
async function oversizedEntry(): Promise<Buffer> {
  const stream = pack();
  stream.entry({ name: 'module.yaml', size: 8_000_000_000, mtime: new Date(0) });
  for await (const chunk of stream) if (chunk instanceof Uint8Array) return Buffer.from(chunk);
  throw new Error('no header');
}
