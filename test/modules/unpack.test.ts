import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { test } from 'tap';
import { MAX_ENTRIES, MAX_UNPACKED_BYTES, unpack } from '../../src/modules/unpack.ts';
import { tar } from './layout.ts';

const file = (name: string) => ({ name, content: 'x' });
const invalid = (message: RegExp) => ({ name: 'ModuleError', reason: 'invalid', message });

test('files are read with their paths, folders are passed over', async (t) => {
  const archive = await tar([
    { name: './', type: 'directory' },
    { name: './module.yaml', content: 'a' },
    { name: 'docs/', type: 'directory' },
    { name: 'docs/README.md', content: 'b' },
    { name: 'empty' },
  ]);
  const files = await unpack(gzipSync(archive));
  t.same([...files.keys()], ['module.yaml', 'docs/README.md', 'empty']);
  t.equal(files.get('docs/README.md')?.toString(), 'b');
});

test('a path that could leave the folder, or be taken for another, is refused', async (t) => {
  const paths = [
    '/etc/passwd',
    '../x',
    'a/../x',
    'a/..',
    'a//b',
    'a/./b',
    '././a',
    '.',
    '..',
    'a\\b',
    'a b',
    'ä',
    'a\nb',
  ];
  for (const path of [...paths, `${'a/'.repeat(200)}b`]) {
    const archive = gzipSync(await tar([file(path)]));
    await t.rejects(unpack(archive), invalid(/not allowed/), path);
  }
  await t.rejects(unpack(gzipSync(await tar([{ name: '../', type: 'directory' }]))), invalid(/not allowed/));
});

test('links, devices and pipes are refused', async (t) => {
  for (const type of ['symlink', 'link', 'character-device', 'block-device', 'fifo', 'contiguous-file'] as const) {
    const archive = gzipSync(await tar([{ name: 'module.yaml', type, linkname: 'other' }]));
    await t.rejects(unpack(archive), invalid(/no plain file/), type);
  }
});

test('a file that is there twice is refused', async (t) => {
  await t.rejects(unpack(gzipSync(await tar([file('a'), file('./a')]))), invalid(/twice/));
});

test('more entries than allowed are refused', async (t) => {
  const entries = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => file(`f${index}`));
  await t.rejects(unpack(gzipSync(await tar(entries))), invalid(/more than 256 entries/));
  t.equal((await unpack(gzipSync(await tar(entries.slice(1))))).size, MAX_ENTRIES);
});

test('a small layer that unpacks to more than allowed is refused', async (t) => {
  const bomb = gzipSync(Buffer.alloc(16 * MAX_UNPACKED_BYTES));
  t.ok(bomb.length < MAX_UNPACKED_BYTES / 50);
  await t.rejects(unpack(bomb), invalid(/unpacks to more than/));
});

test('what is no gzip, no tar, or cut short is refused', async (t) => {
  const archive = await tar([file('a'), { name: 'b', content: Buffer.alloc(2000) }]);
  await t.rejects(unpack(archive), invalid(/not valid gzip/));
  await t.rejects(unpack(gzipSync(archive).subarray(0, 60)), invalid(/not valid gzip/));
  await t.rejects(unpack(gzipSync(Buffer.alloc(1024, 1))), invalid(/not a valid tar/));
  await t.rejects(unpack(gzipSync(archive.subarray(0, 1100))), invalid(/not a valid tar/));
});

test('damaged archives end in files or in a refusal, never in waiting', async (t) => {
  const archive = await tar([
    file('a'),
    { name: 'b', content: Buffer.alloc(2000, 7) },
    { name: 'c/', type: 'directory' },
  ]);
  const damage = fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(archive.length), async (changes, length) => {
      const damaged = Buffer.from(archive.subarray(0, length));
      for (const [at, byte] of changes) if (at < length) damaged[at] = byte;
      await unpack(gzipSync(damaged, { level: 1 })).then(
        (files) => files.size,
        (error: unknown) => t.match(error, { name: 'ModuleError', reason: 'invalid' }),
      );
    }),
    { numRuns: 300 },
  );
});
