import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { ABANDONED_MS, DiskStore, MAX_FILE_BYTES } from '../../src/modules/disk-store.ts';

const megabyte = 1_048_576;
const names = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytesIn = (folder: string) =>
  names(folder).reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0);

test('what was written is read, also by another process and after a restart', async (t) => {
  const folder = t.testdir();
  const options = { folder, maxBytes: megabyte, clock: Date.now };
  await new DiskStore(options).write('blobs/a', Buffer.from('content'));
  t.equal((await new DiskStore(options).read('blobs/a'))?.toString(), 'content');
  t.equal(await new DiskStore(options).read('blobs/b'), undefined);
});

test('the folder is made when something is written, and not before', async (t) => {
  const folder = join(t.testdir(), 'a/b');
  const store = new DiskStore({ folder, maxBytes: megabyte, clock: Date.now });
  t.equal(await store.read('x'), undefined);
  t.throws(() => statSync(folder), { code: 'ENOENT' });
  await store.write('x', Buffer.from('1'));
  t.equal((await store.read('x'))?.toString(), '1');
});

test('all files together stay within the limit, and what was not read longest goes first', async (t) => {
  let now = Date.now();
  const folder = t.testdir();
  const store = new DiskStore({ folder, maxBytes: megabyte, clock: () => now });
  await store.write('first', Buffer.alloc(100_000));
  for (let count = 0; count < 40; count += 1) {
    now += 60_000;
    await store.read('first');
    await store.write(`more/${count}`, Buffer.alloc(100_000));
  }
  t.ok(await store.read('first'), 'what is read stays');
  t.ok(await store.read('more/39'), 'so does the latest');
  t.equal(await store.read('more/0'), undefined);
  t.ok(bytesIn(folder) <= megabyte * 1.1, `${bytesIn(folder)} bytes`);
});

test('tiny files are bounded in number', async (t) => {
  const folder = t.testdir();
  const store = new DiskStore({ folder, maxBytes: megabyte, clock: Date.now });
  for (let count = 0; count < 600; count += 1) await store.write(`f${count}`, Buffer.from('x'));
  t.ok(names(folder).length <= 272, `${names(folder).length} files`);
});

test('what is too large is not kept, and not read', async (t) => {
  const folder = t.testdir();
  const store = new DiskStore({ folder, maxBytes: 64 * megabyte, clock: Date.now });
  await store.write('large', Buffer.alloc(MAX_FILE_BYTES + 1));
  t.same(names(folder), []);
  writeFileSync(join(folder, 'large'), Buffer.alloc(MAX_FILE_BYTES + 1));
  t.equal(await store.read('large'), undefined);
});

test('what a killed process left is cleared away when it is old, and what another writes now is not', async (t) => {
  const folder = t.testdir();
  mkdirSync(join(folder, 'tmp'));
  for (const name of ['old', 'new']) writeFileSync(join(folder, 'tmp', name), 'half');
  const longAgo = (Date.now() - ABANDONED_MS - 1000) / 1000;
  utimesSync(join(folder, 'tmp/old'), longAgo, longAgo);
  await new DiskStore({ folder, maxBytes: megabyte, clock: Date.now }).write('x', Buffer.from('1'));
  t.same(readdirSync(join(folder, 'tmp')), ['new']);
});

test('several processes write the same files at once, are killed in mid-write, and leave whole files only', async (t) => {
  const folder = t.testdir({ store: {}, 'write.ts': writer });
  for (let round = 0; round < 5; round += 1) {
    const writers = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [join(folder, 'write.ts'), join(folder, 'store')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')));
    for (const child of writers) child.kill('SIGKILL');
    await Promise.all(writers.map((child) => once(child, 'exit')));
    const store = new DiskStore({ folder: join(folder, 'store'), maxBytes: 64 * megabyte, clock: Date.now });
    for (let file = 0; file < 8; file += 1) {
      const content = await store.read(`blobs/${file}`);
      if (content !== undefined) t.ok(content.equals(Buffer.alloc(megabyte, file)), `file ${file} is whole`);
    }
    await store.write('after', Buffer.from('works'));
    t.equal((await store.read('after'))?.toString(), 'works');
  }
});

const writer = `
import { DiskStore } from ${JSON.stringify(join(import.meta.dirname, '../../src/modules/disk-store.ts'))};
const store = new DiskStore({ folder: process.argv[2], maxBytes: 64 * ${megabyte}, clock: Date.now });
for (let file = 0; ; file = (file + 1) % 8) {
  await store.write('blobs/' + file, Buffer.alloc(${megabyte}, file));
  if (file === 3) console.log('writing');
}
`;
