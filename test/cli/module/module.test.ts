import { readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { parse, stringify } from 'yaml';
import { createModules } from '../../../src/modules/modules.ts';
import { ociLayout } from '../../../src/modules/oci-layout.ts';
import { programOf } from '../../modules/three-engines.ts';
import { until } from '../../programs/until.ts';
import { runFrontdesk, startFrontdesk } from '../run-frontdesk.ts';

/** How long a change may take to be seen, in milliseconds. */
const SEEN_MS = 20_000;

const templates = join(import.meta.dirname, '../../../templates');

/** A folder with the module that `init` makes. */
async function newModule(t: Test): Promise<string> {
  const dir = t.testdir({});
  t.match(await runFrontdesk(dir, ['module', 'init', 'greeter']), { code: 0, stderr: '' });
  return dir;
}

/** Changes a file of the module. */
function edit(dir: string, file: string, change: (text: string) => string): void {
  const path = join(dir, 'greeter', file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

test('a new module passes its own tests', async (t) => {
  const dir = await newModule(t);
  t.match(await runFrontdesk(dir, ['module', 'test', 'greeter']), {
    code: 0,
    stdout: 'ok: the least that is needed\nok: a name is needed\n2 passed\n',
    stderr: '',
  });
});

test('init takes a new or empty folder only, whose name a module can have', async (t) => {
  const dir = await newModule(t);
  t.match(await runFrontdesk(dir, ['module', 'init', 'greeter']), { code: 1, stderr: /greeter is not empty/ });
  t.match(await runFrontdesk(dir, ['module', 'init', 'Greeter']), { code: 2, stderr: /in lower case/ });
});

test('a case whose claim is another one fails, and the difference is shown', async (t) => {
  const dir = await newModule(t);
  edit(dir, 'module.yaml', (text) => text.replace('Hello', 'Goodbye'));
  const { code, stdout, stderr } = await runFrontdesk(dir, ['module', 'test', 'greeter']);
  t.equal(code, 1);
  t.match(
    stdout,
    /not ok: the least that is needed\n[\s\S]*- {3}greeting: Hello, world!\n\s+\+ {3}greeting: Goodbye, world!/,
  );
  t.match(stdout, /^ok: a name is needed$/m);
  t.equal(stderr, 'error: 1 of 2 cases failed\n');
});

test('a case that expects an error fails where there is a claim, or another error', async (t) => {
  const dir = await newModule(t);
  edit(dir, 'tests.yaml', (text) => text.replace('parameter name is required', 'no more names'));
  t.match(await runFrontdesk(dir, ['module', 'test', 'greeter', '--json']), {
    code: 1,
    stdout: /"name":"a name is needed","passed":false,"difference":\["- no more names","\+ parameter name is required"/,
  });
  edit(dir, 'template.yaml', (text) => text.replace('required: true', 'default: all'));
  t.match(await runFrontdesk(dir, ['module', 'test', 'greeter']), { code: 1, stdout: /\+ {3}greeting: Hello, all!/ });
});

test('tests that are no tests are refused, naming the field', async (t) => {
  const dir = await newModule(t);
  const cases: [string, RegExp][] = [
    ['cases: []', /tests\.yaml: \/cases: Expected array length to be greater or equal to 1/],
    ['cases: [{name: a}]', /the case "a" needs either expect or error/],
    ['cases: [{name: a, expects: []}]', /tests\.yaml: \/cases\/0\/expects: Unexpected property/],
    ['cases: [', /tests\.yaml: .* at line 1/],
  ];
  for (const [text, says] of cases) {
    edit(dir, 'tests.yaml', () => text);
    t.match(await runFrontdesk(dir, ['module', 'test', 'greeter']), { code: 1, stdout: '', stderr: says }, text);
  }
});

test('render takes parameters one by one and from a file, typed by the template', async (t) => {
  const dir = await newModule(t);
  const parameter = '    - {name: count, type: integer}\n    - {name: tags, type: array}\n';
  edit(dir, 'template.yaml', (text) => text + parameter);
  const render = (args: string[], input = '') =>
    runFrontdesk(dir, ['module', 'render', 'greeter', '--json', ...args], { input });
  const { stdout } = await render(['-f', '-', '-p', 'count=3', '--param', 'tags=[a, b]'], 'name: x=y\n');
  t.equal(stdout, '');
  const given = await render(['-f', '-', '-p', 'count=3', '--param', 'tags=[a, b]'], '{"name": "x", "count": 9}');
  t.match(JSON.parse(given.stdout), { digest: /^sha256:/, values: { name: 'x', count: 3, tags: ['a', 'b'] } });
  t.match(await render(['-p', 'name=x', '-p', 'count=three']), { code: 3, stderr: /count: must be an integer/ });
  t.match(await render(['-p', 'name']), { code: 2, stderr: /--param name: write name=value/ });
  t.match(await render(['-f', 'nosuch.yaml']), { code: 2, stderr: /--params-file nosuch\.yaml: / });
  t.match(await render(['-f', '-'], '[1]'), { code: 2, stderr: /is no object of parameters/ });
});

test('while it watches it renders after each change, also one that breaks the module', async (t) => {
  const dir = await newModule(t);
  const printed = startFrontdesk(t, dir, ['module', 'render', 'greeter', '-p', 'name=x', '--watch']);
  const sees = (text: RegExp) =>
    until(
      async () => text.test(printed()),
      SEEN_MS,
      () => new Error(`it never printed ${text}: ${printed()}`),
    );
  await sees(/Hello, x!/);
  edit(dir, 'module.yaml', (text) => text.replace('Hello', '${parameters.nam}'));
  await sees(/error: .*nam/);
  edit(dir, 'module.yaml', (text) => text.replace('${parameters.nam}', 'Goodbye'));
  await sees(/Goodbye, x!/);
});

test('every parameter that is wrong is told at once, on standard error alone', async (t) => {
  const dir = await newModule(t);
  const ended = await runFrontdesk(dir, ['module', 'render', 'greeter', '-p', 'name=Y', '-p', 'other=3']);
  t.match(ended, { code: 3, stdout: '', stderr: /^error: 2 checks .*\n {2}other: is not .*\n {2}name: must match / });
});

test('a template or a module that is broken is told with what is wrong', async (t) => {
  const dir = await newModule(t);
  const render = () => runFrontdesk(dir, ['module', 'render', 'greeter', '-p', 'name=x']);
  edit(dir, 'module.yaml', (text) => text.replace('${parameters.name}!', '${parameters.nam}!'));
  t.match(await render(), { code: 1, stderr: /^error: .*line 17.*nam\b/ });
  edit(dir, 'template.yaml', (text) => text.replace('maxLength: 63', 'maxLength: many'));
  t.match(await render(), {
    code: 3,
    stderr: /no valid template\n {2}spec\.parameters\[0\]\.maxLength: expected integer/,
  });
  edit(dir, 'template.yaml', () => '');
  t.match(await render(), { code: 1, stderr: /has 0 templates, where one is needed/ });
  t.match(await runFrontdesk(dir, ['module', 'render', 'nosuch']), {
    code: 1,
    stderr: 'error: nosuch cannot be read\n',
  });
});

for (const engine of ['helm', 'kcl'] as const) {
  const found = await programOf(engine);
  test(`a module of the engine ${engine} is rendered, tested and inspected in its folder`, {
    skip: 'missing' in found && found.missing,
  }, async (t) => {
    const dir = t.testdir({});
    await cp(join(import.meta.dirname, '../../modules/volumeclaim', engine), join(dir, engine), { recursive: true });
    await cp(join(templates, 'volumeclaim.yaml'), join(dir, engine, 'template.yaml'));
    const setting = `${engine.toUpperCase()}_BIN`;
    const env = { [setting]: ('program' in found && found.program) || '' };
    const rendered = await runFrontdesk(dir, ['module', 'render', engine, '-p', 'templateName=data'], { env });
    t.match(rendered, { code: 0, stdout: /kind: PersistentVolumeClaim\n[\s\S]* name: data\n/ });
    const expect = [parse(rendered.stdout)];
    const cases = [{ name: 'data', parameters: { templateName: 'data' }, expect }];
    writeFileSync(join(dir, engine, 'tests.yaml'), stringify({ cases }));
    t.match(await runFrontdesk(dir, ['module', 'test', engine], { env }), { code: 0, stdout: 'ok: data\n1 passed\n' });
    t.match(await runFrontdesk(dir, ['module', 'inspect', engine]), {
      code: 0,
      stdout: new RegExp(`engine ${engine}\n`),
    });
    const push = await runFrontdesk(dir, ['module', 'push', engine, 'oci://registry.invalid/x']);
    t.match(push, { code: 1, stderr: /has no module\.yaml/ });
    const none = await runFrontdesk(dir, ['module', 'render', engine], { env: { [setting]: 'nosuch' } });
    t.match(none, { code: 1, stderr: /which is not installed/ });
  });
}

test('inspect tells the digest by which the service knows the module, and what is in it', async (t) => {
  const dir = t.testdir({});
  await cp(join(templates, 'modules/src/volumeclaim'), join(dir, 'volumeclaim'), { recursive: true });
  for (const file of ['template.yaml', 'tests.yaml', '.hidden']) writeFileSync(join(dir, 'volumeclaim', file), '');
  const modules = createModules({ registry: ociLayout(join(templates, 'modules/oci')) });
  const { digest } = await modules.resolve({
    source: 'oci://registry.frontdesk.dev/modules/volumeclaim',
    tag: '0.1.0',
  });
  const inspect = (...args: string[]) => runFrontdesk(dir, ['module', 'inspect', 'volumeclaim', ...args]);
  t.match((await inspect()).stdout, `volumeclaim 0.1.0, engine cel\n${digest}\n  module.yaml  `);
  const { files, ...rest } = JSON.parse((await inspect('--json')).stdout);
  t.same(rest, { name: 'volumeclaim', version: '0.1.0', engine: 'cel', digest });
  t.match(files, [{ path: 'module.yaml', bytes: Number }]);
  t.equal(files.length, 1, 'what is the author’s own, or hidden, is not in it');
});
