import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Test, test } from 'tap';
import { skipWithoutRegistry, startDockerRegistry } from '../../modules/registry/docker-registry.ts';
import { runFrontdesk } from '../run-frontdesk.ts';

const templates = resolve('templates');

test('one file of templates is a desk; its modules are beside it, or where MODULES_DIR says', async (t) => {
  const dir = t.testdir({});
  const order = (place: string, env = {}) =>
    runFrontdesk(dir, ['order', 'volumeclaim', '--local', place, '-o', '-'], { env });
  t.match(await order(join(templates, 'volumeclaim.yaml')), { code: 0, stdout: /kind: PersistentVolumeClaim/ });
  cpSync(join(templates, 'volumeclaim.yaml'), join(dir, 'one.yaml'));
  const layout = { MODULES_DIR: join(templates, 'modules/oci') };
  t.match(await order('one.yaml', layout), { code: 0, stdout: /kind: PersistentVolumeClaim/ });
  t.match(await order('one.yaml', { ...layout, MODULE_TIMEOUT: 'soon' }), {
    code: 2,
    stderr: /\n {2}MODULE_TIMEOUT: must be/,
  });
  t.same(readdirSync(dir), ['one.yaml'], 'nothing is left in the folder of the caller');
});

test('hidden parameters are not told, and take their default whatever is given', async (t) => {
  const dir = t.testdir({});
  const text = readFileSync(join(templates, 'volumeclaim.yaml'), 'utf8');
  writeFileSync(
    join(dir, 'one.yaml'),
    text.replace('title: Storage class', 'title: Storage class\n      hidden: true'),
  );
  const run = (args: string[]) =>
    runFrontdesk(dir, [...args, '--local', 'one.yaml'], { env: { MODULES_DIR: join(templates, 'modules/oci') } });
  t.notMatch((await run(['template', 'volumeclaim'])).stdout, 'storageClassName');
  const order = await run(['order', 'volumeclaim', '-p', 'storageClassName=slow', '-o', '-']);
  t.match(order, { code: 0, stdout: /storageClassName: standard\n/ });
});

test('a broken template disturbs no other, and is told of', async (t) => {
  const dir = t.testdir({});
  const folder = join(dir, 'mine');
  cpSync(join(templates, 'volumeclaim.yaml'), join(folder, 'good.yaml'));
  writeFileSync(join(folder, 'bad.yaml'), 'kind: ClaimTemplate\n');
  const list = (place: string) => runFrontdesk(dir, ['templates', '--local', place]);
  t.match(await list('mine'), { code: 0, stdout: /\nvolumeclaim /, stderr: /^warning: bad.yaml: apiVersion: / });
  t.match(await list('mine/bad.yaml'), {
    code: 3,
    stdout: '',
    stderr: /has no valid template\n {2}mine\/bad.yaml: apiVersion/,
  });
  t.match(await list('nosuch'), { code: 2, stderr: /--local nosuch: ENOENT/ });
  mkdirSync(join(dir, 'empty'));
  t.match(await list('empty'), { code: 1, stderr: /empty has no valid template/ });
});

/** A folder with the module that `init` makes. */
async function newModule(t: Test): Promise<string> {
  const dir = t.testdir({});
  t.match(await runFrontdesk(dir, ['module', 'init', 'greeter']), { code: 0 });
  return dir;
}

test('the folder of a module is the desk of its template', async (t) => {
  const dir = await newModule(t);
  const order = await runFrontdesk(dir, ['order', 'greeter', '--local', 'greeter', '-p', 'name=ann', '-o', '-']);
  t.match(order, { code: 0, stdout: /greeting: "Hello, ann!"/ });
});

test('a module that was published with its template is ordered from its registry', {
  skip: skipWithoutRegistry,
}, async (t) => {
  const dir = await newModule(t);
  const { host } = await startDockerRegistry(t);
  const [bare, both] = [`oci://${host}/bare`, `oci://${host}/both`];
  const push = (...args: string[]) => runFrontdesk(dir, ['module', 'push', 'greeter', ...args, '--plain-http']);
  t.match(await push(bare), { code: 0 });
  t.match(await push(both, '--with-template'), { code: 0 });
  const env = { MODULE_PLAIN_HTTP: host };
  const order = (place: string) =>
    runFrontdesk(dir, ['order', 'greeter', '--local', place, '-p', 'name=ann', '-o', '-'], { env });
  t.match(await order(`${both}:0.1.0`), { code: 0, stdout: /greeting: "Hello, ann!"/ });
  t.match(await order(`${bare}:0.1.0`), { code: 1, stderr: /has no template.yaml with its module\n.*--with-template/ });
  t.match(await order(`${both}:9`), { code: 1, stderr: /was not found/ });
  t.match(await order('oci://UPPER'), { code: 1, stderr: /names no path below the registry/ });
});

test('a module that is to be published with its template has one', async (t) => {
  const dir = await newModule(t);
  cpSync(join(dir, 'greeter/module.yaml'), join(dir, 'alone/module.yaml'));
  t.match(await runFrontdesk(dir, ['module', 'push', 'alone', 'oci://127.0.0.1:1/x', '--with-template']), {
    code: 1,
    stderr: /alone has no template.yaml/,
  });
});
