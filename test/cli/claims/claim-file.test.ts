import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { defaultFile, saveClaim } from '../../../src/cli/claims/claim-file.ts';
import { resourceName } from '../../../src/cli/claims/resource-name.ts';

test('the file of a claim is named after its template and its resource, and is in /tmp whatever they are called', (t) => {
  t.equal(defaultFile('volumeclaim', 'my-data'), '/tmp/volumeclaim-my-data.yaml');
  t.equal(defaultFile('volumeclaim', undefined), '/tmp/volumeclaim-claim.yaml');
  t.equal(defaultFile('../etc', '../../etc/passwd'), '/tmp/etc-etc-passwd.yaml');
  t.equal(defaultFile('a', '..'), '/tmp/a-claim.yaml');
  t.equal(defaultFile('a', 'b c\n\0;$(d)'), '/tmp/a-b-c-d-.yaml');
  t.equal(defaultFile('a', 'x'.repeat(300)), `/tmp/a-${'x'.repeat(100)}.yaml`);
  t.end();
});

test('the name of a claim is that of its first resource with a name', (t) => {
  t.equal(resourceName('kind: A\n---\nmetadata:\n  name: b\n---\nmetadata:\n  name: c\n'), 'b');
  t.equal(resourceName('metadata:\n  generateName: job-\n'), 'job-');
  t.equal(resourceName('metadata:\n  name: 3\n'), undefined);
  t.equal(resourceName('- {\n'), undefined);
  t.equal(resourceName('just text'), undefined);
  t.end();
});

test('a file that is there is left as it is, unless it is to be replaced', async (t) => {
  const dir = t.testdir({ claim: 'before' });
  const file = join(dir, 'claim');
  await t.rejects(saveClaim(file, 'after', { force: false }), { message: `${file} is there already` });
  t.equal(readFileSync(file, 'utf8'), 'before');
  await saveClaim(file, 'after', { force: true });
  t.equal(readFileSync(file, 'utf8'), 'after');
  t.same(readdirSync(dir), ['claim']);
});

test('a symbolic link is not followed, be there something behind it or not', async (t) => {
  const dir = t.testdir({ target: 'of another' });
  const [link, dangling] = [join(dir, 'link'), join(dir, 'dangling')];
  symlinkSync(join(dir, 'target'), link);
  symlinkSync(join(dir, 'nosuch'), dangling);
  for (const file of [link, dangling]) {
    await t.rejects(saveClaim(file, 'mine', { force: false }), { message: `${file} is there already` });
    await saveClaim(file, 'mine', { force: true });
    t.equal(readFileSync(file, 'utf8'), 'mine');
  }
  t.equal(readFileSync(join(dir, 'target'), 'utf8'), 'of another');
  t.notOk(existsSync(join(dir, 'nosuch')));
});

test('what cannot be saved leaves nothing behind', async (t) => {
  const dir = t.testdir({});
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'folder', 'full'), '');
  await t.rejects(saveClaim(join(dir, 'folder'), 'x', { force: true }), { message: /^the claim cannot be saved: / });
  await t.rejects(saveClaim(join(dir, 'nosuch', 'x'), 'x', { force: false }), { message: /ENOENT/ });
  t.same(readdirSync(dir), ['folder']);
});
