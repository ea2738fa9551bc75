import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Test, test } from 'tap';
import { MAX_FOLDERS, ModuleFolders } from '../../../src/modules/children/module-folders.ts';

const files = new Map([
  ['a.txt', Buffer.from('a')],
  ['b/c.txt', Buffer.from('c')],
]);

function open(t: Test): ModuleFolders {
  const folders = new ModuleFolders();
  t.teardown(() => folders.close());
  return folders;
}

test('a module is unpacked once for any number of users', async (t) => {
  const folders = open(t);
  const used = await Promise.all(Array.from({ length: 5 }, () => folders.use('one', files, async (folder) => folder)));
  const [folder = ''] = used;
  t.same(new Set(used), new Set([folder]));
  t.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'a');
  t.equal(readFileSync(join(folder, 'b/c.txt'), 'utf8'), 'c');
  t.not(await folders.use('two', files, async (other) => other), folder);
});

test('the least recently used modules go, except those in use', async (t) => {
  const folders = open(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  let inUse = '';
  const long = folders.use('in use', files, (folder) => {
    inUse = folder;
    return promise;
  });
  const first = await folders.use('0', files, async (folder) => folder);
  for (let index = 1; index < MAX_FOLDERS; index += 1) await folders.use(String(index), files, async () => undefined);
  t.notOk(existsSync(first));
  t.ok(existsSync(inUse));
  t.equal(readdirSync(dirname(inUse)).length, MAX_FOLDERS);
  resolve();
  await long;
  await folders.use('0', files, async (folder) => t.ok(existsSync(join(folder, 'a.txt')), 'is unpacked anew'));
});

test('a path below a file is refused, also the next time', async (t) => {
  const folders = open(t);
  const bad = new Map([
    ['a', Buffer.from('')],
    ['a/b', Buffer.from('')],
  ]);
  for (let times = 0; times < 2; times += 1) {
    await t.rejects(
      folders.use('bad', bad, async () => undefined),
      { reason: 'invalid', message: 'the archive has "a/b" below a file' },
    );
  }
  await folders.use('good', files, async (folder) => t.same(readdirSync(dirname(folder)), [basename(folder)]));
});

test('nothing is left after close', async (t) => {
  const folders = open(t);
  const folder = await folders.use('one', files, async (one) => one);
  t.ok(existsSync(await folders.home(3)));
  await folders.close();
  t.notOk(existsSync(dirname(folder)));
});
