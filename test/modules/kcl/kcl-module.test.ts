import { test } from 'tap';
import { openModule } from '../three-engines.ts';
import { kclCommand } from './kcl-command.ts';

const found = await kclCommand();
const skip = 'missing' in found && found.missing;
const program = 'missing' in found ? undefined : found.program;

const KCL_MOD = '[package]\nname = "demo"\nversion = "0.1.0"\n';
const filesOf = (files: Record<string, string>) =>
  new Map(Object.entries({ 'kcl.mod': KCL_MOD, ...files }).map(([path, text]) => [path, Buffer.from(text)]));
const open = (t: Parameters<typeof openModule>[0], main: string, more: Record<string, string> = {}) =>
  openModule(t, 'kcl', { files: filesOf({ 'main.k': main, ...more }), program });
const head = 'apiVersion: v1\nkind: ConfigMap\n';
const object = 'apiVersion = "v1"\nkind = "ConfigMap"\n';

test('parameters are options with their types', { skip }, async (t) => {
  const claim = (
    await open(
      t,
      `${object}data = {a = option("a"), n = option("n") + 1, l = option("l"), o = option("o"), b = option("b")}`,
    )
  ).bind([]);
  const values = { a: '5', n: 4, l: ['x', 1], o: { 'k=,"': null }, b: true };
  t.equal(
    await claim.render(values),
    `${head}data:\n  a: "5"\n  "n": 5\n  l:\n    - x\n    - 1\n  o:\n    "k=,\\"": null\n  b: true\n`,
  );
});

test('an optional parameter without value has the default of the module', { skip }, async (t) => {
  const claim = (await open(t, `${object}a = option("a", default="none")`)).bind([]);
  t.equal(await claim.render({}), `${head}a: none\n`);
  t.equal(await claim.render({ a: 'some' }), `${head}a: some\n`);
});

test('a module may make one object, several in items, or a stream of documents', { skip }, async (t) => {
  const two = '[{apiVersion = "v1", kind = "A", n = option("n")}, {apiVersion = "v1", kind = "B"}]';
  const expected = 'apiVersion: v1\nkind: A\n"n": 1\n---\napiVersion: v1\nkind: B\n';
  for (const main of [`items = ${two}`, `import manifests\nmanifests.yaml_stream(${two})`]) {
    const claim = (await open(t, main)).bind([]);
    t.equal(await claim.render({ n: 1 }), expected);
    t.equal(await claim.render({ n: 1 }), expected, 'also the next time');
  }
});

test('packages that a module brings along are found', { skip }, async (t) => {
  const vendored = { 'vendor/lib_0.1.0/kcl.mod': KCL_MOD, 'vendor/lib_0.1.0/lib.k': 'word = "from lib"' };
  const claim = (await open(t, `import lib\n${object}a = lib.word`, vendored)).bind([]);
  t.equal(await claim.render({}), `${head}a: "from lib"\n`);
});

test('a module that fails is told of, without where it lies, and disturbs no other order', { skip }, async (t) => {
  const claim = (await open(t, `${object}a = option("a")\nassert a != "bad", "bad is not allowed"`)).bind([]);
  const [error, text] = await Promise.all([
    claim.render({ a: 'bad' }).catch((reason: Error) => reason),
    claim.render({ a: 'good' }),
  ]);
  t.match(error, { reason: 'render', message: /^kcl: .*bad is not allowed/ });
  t.notMatch(error, { message: /frontdesk-modules/ });
  t.equal(text, `${head}a: good\n`);
});

test('what a module makes has to be Kubernetes objects', { skip }, async (t) => {
  const cases: [main: string, message: RegExp][] = [
    ['a = 1', /^kcl: document 1 has no apiVersion$/],
    ['items = [1]', /^kcl: document 1, items\[0\] is not an object$/],
    [`print("hello")\n${object}`, /^kcl printed something that is not JSON$/],
  ];
  for (const [main, message] of cases) {
    await t.rejects((await open(t, main)).bind([]).render({}), { reason: 'render', message }, main);
  }
});

test('an option that is longer than an argument can be is refused with its name', { skip }, async (t) => {
  const claim = (await open(t, `${object}a = option("a")`)).bind([]);
  t.equal((await claim.render({ a: 'x'.repeat(131_000) })).length, `${head}a: x\n`.length + 130_999);
  await t.rejects(claim.render({ a: 'x'.repeat(131_071) }), {
    reason: 'render',
    message: /^parameter a has more than/,
  });
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, 'x'.repeat(130_000)]));
  await t.rejects(claim.render(many), { reason: 'render', message: /^the parameters have more than 1048576 bytes/ });
});

test('a module that could read files is refused when it is opened', async (t) => {
  const cases = ['import file', 'import file as f', 'x = 1\nimport   file\n', 'import \\\n file'];
  for (const text of cases) {
    await t.rejects(open(t, object, { 'sub/a.k': text }), {
      reason: 'invalid',
      message: /^sub\/a\.k imports the library "file"/,
    });
  }
});

test('a module whose sources would be elsewhere is refused when it is opened', async (t) => {
  const cases: [path: string, text: string][] = [
    ['kcl.mod', '[profile]\nentries = ["main.k", "/proc/1/environ"]'],
    ['kcl.mod', "[profile]\nentries = ['a/../../b']"],
    ['kcl.mod', '[profile]\nentries = ["\\u002fetc/passwd"]'],
    ['kcl.mod', '[profile]\nentries = [\n"""/etc/passwd"""]'],
    ['kcl.mod', "[profile]\nentries = ['''\n/etc/passwd''']"],
    ['kcl.mod', '[dependencies]\nsum = { path = "/b" }'],
    ['vendor/a_1/kcl.mod', '[dependencies]\nb = { path = "../../../b" }'],
    ['kcl.mod.lock', '[dependencies.b]\npath = "/b"'],
  ];
  for (const [path, text] of cases) {
    const message = `${path} has a path that leads out of the module, or an escape`;
    await t.rejects(open(t, object, { [path]: text }), { reason: 'invalid', message }, text);
  }
});

test('a module with ordinary dependencies is opened', { skip }, async (t) => {
  const dependencies =
    '[dependencies]\nk8s = "1.31"\nlib = { oci = "oci://ghcr.io/a/lib", tag = "1.0" }\nown = { path = "./own" }';
  const lock = '[dependencies.k8s]\nname = "k8s"\nsum = "/abc+/="\nreg = "ghcr.io"\nrepo = "kcl-lang/k8s"';
  t.ok(await open(t, object, { 'kcl.mod': `${KCL_MOD}${dependencies}`, 'kcl.mod.lock': lock }));
});

test('a folder without kcl.mod is no module', async (t) => {
  const files = new Map([['main.k', Buffer.from(object)]]);
  await t.rejects(openModule(t, 'kcl', { files, program }), {
    reason: 'invalid',
    message: 'the module has no kcl.mod',
  });
});

test('without kcl a module cannot be opened', async (t) => {
  const opened = openModule(t, 'kcl', { files: filesOf({}), kcl: 'kcl', searchPath: t.testdir() });
  await t.rejects(opened, { reason: 'engine', message: 'the module needs the program kcl, which is not installed' });
});
