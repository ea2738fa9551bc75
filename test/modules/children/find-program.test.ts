import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { findProgram } from '../../../src/modules/children/find-program.ts';

test('a program is found by its name in the first folder that has it, or by its path', async (t) => {
  const dir = t.testdir({ a: { helm: 'no program' }, b: { kcl: '' }, c: { helm: '#!', kcl: '#!' } });
  chmodSync(join(dir, 'c/helm'), 0o755);
  chmodSync(join(dir, 'c/kcl'), 0o755);
  mkdirSync(join(dir, 'b/helm'));
  const path = ['', 'nowhere', ...['a', 'b', 'c'].map((name) => join(dir, name))].join(':');
  t.equal(await findProgram('helm', path), join(dir, 'c/helm'), 'neither a plain file nor a folder is one');
  t.equal(await findProgram('kustomize', path), undefined);
  t.equal(await findProgram(join(dir, 'c/kcl'), ''), join(dir, 'c/kcl'));
  t.equal(await findProgram(join(dir, 'a/helm'), path), undefined);
});

test('a folder in the path that is not absolute is passed over', async (t) => {
  const dir = t.testdir();
  writeFileSync(join(dir, 'helm'), '#!', { mode: 0o755 });
  const before = process.cwd();
  process.chdir(dir);
  t.teardown(() => process.chdir(before));
  t.equal(await findProgram('helm', `:.:${dir}/nothing`), undefined);
});
