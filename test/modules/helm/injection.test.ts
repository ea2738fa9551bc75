import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../../../src/modules/module.ts';
import { openModule } from '../three-engines.ts';
import { chartFiles, configMap } from './chart-files.ts';
import { helmCommand } from './helm-command.ts';

const found = await helmCommand();
const skip = 'missing' in found && found.missing;
const program = 'missing' in found ? undefined : found.program;

/** Charts that paste a value without care. */
const careless: Record<string, string> = {
  plain: 'before: 1\nvalue: {{ .Values.a }}\nafter: 2',
  'in double quotes': 'before: 1\nvalue: "{{ .Values.a }}"\nafter: 2',
  'in single quotes': "before: 1\nvalue: '{{ .Values.a }}'\nafter: 2",
  'in a flow map': 'before: 1\nvalue: {inner: {{ .Values.a }}}\nafter: 2',
  'in a flow list': 'before: 1\nvalue: [{{ .Values.a }}]\nafter: 2',
  'in a list': 'before: 1\nvalue:\n  - {{ .Values.a }}\nafter: 2',
  'twice, around a field': 'value: {{ .Values.a }}\nbefore: 1\nsecond: {{ .Values.b }}\nafter: 2',
};

/** Values that break out of one or the other, as `[a, b]`. */
const attacks: [a: string, b: string][] = [
  ['x\nevil: true', 'b'],
  ['x\nevil: true\nafter: 3 #', 'b'],
  ['x"\nevil: "true', 'b'],
  ["x'\nevil: 'true", 'b'],
  ['x, evil: true', 'b'],
  ['x}\nevil: {a: b', 'b'],
  ['x]\nevil: [a', 'b'],
  ['{evil: true}', 'b'],
  ['- evil', 'b'],
  ['-', 'b'],
  ['x\n---\napiVersion: v1\nkind: Secret', 'b'],
  ['---\napiVersion: v1\nkind: Secret', 'b'],
  ['x\nbefore: 9\nsecond: "', '"'],
  ['&a {evil: true}', '*a'],
  ['evil: true', 'b'],
];

function withoutValues(document: Record<string, Json>): Record<string, Json> {
  const rest: Record<string, Json> = {};
  for (const [key, value] of Object.entries(document)) {
    if (key !== 'value' && key !== 'second') rest[key] = value;
  }
  return rest;
}

/** The shape of what may be a value: the values in it are left out. */
function shape(value: Json | undefined): Json {
  if (typeof value !== 'object' || value === null) return 'scalar';
  if (Array.isArray(value)) return value.map(shape);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shape(member)]));
}

for (const [what, lines] of Object.entries(careless)) {
  test(`no value becomes structure in a chart that pastes it ${what}`, { skip }, async (t) => {
    const module = await openModule(t, 'helm', { files: chartFiles({ 'a.yaml': configMap(lines) }), program });
    const renderer = module.bind([]);
    const read = async (a: string, b: string) =>
      parseAllDocuments(await renderer.render({ a, b }), { version: '1.1' }).map((one) => one.toJS());
    const [expected] = await read('plain', 'b');
    let refused = 0;
    for (const [a, b] of attacks) {
      const documents = await read(a, b).catch((error: Error) => {
        t.match(error, { name: 'ModuleError', reason: 'render' });
        refused += 1;
      });
      if (documents === undefined) continue;
      const [document] = documents;
      const isSame =
        documents.length === 1 &&
        isDeepStrictEqual(withoutValues(document), withoutValues(expected)) &&
        isDeepStrictEqual(shape(document.value), shape(expected.value)) &&
        isDeepStrictEqual(shape(document.second), shape(expected.second));
      t.ok(isSame, JSON.stringify([a, b, documents]));
    }
    t.ok(refused > 0, 'some are refused');
  });
}

test('a chart that quotes is ordered with any value', { skip }, async (t) => {
  const template = configMap(
    'value: {{ .Values.a | quote }}\nhash: {{ .Values.a | sha256sum }}\nmany: {{ .Values.m | toJson }}',
  );
  const renderer = (await openModule(t, 'helm', { files: chartFiles({ 'a.yaml': template }), program })).bind([]);
  for (const [a] of attacks.slice(0, 4)) {
    const [document] = parseAllDocuments(await renderer.render({ a, m: [a, { b: a }] })).map((one) => one.toJS());
    t.same([document.value, document.many], [a, [a, { b: a }]]);
  }
});

test('the answer names the parameters that may be at fault', { skip }, async (t) => {
  const files = chartFiles({ 'a.yaml': configMap('value: {{ .Values.a }}') });
  const renderer = (await openModule(t, 'helm', { files, program })).bind([]);
  await t.rejects(renderer.render({ a: 'x\nevil: true', b: 'fine', c: ['{'] }), {
    reason: 'render',
    message: /does not quote it: a, c$/,
  });
});

test('a chart may say that it quotes values, or means them to be structure', { skip }, async (t) => {
  const lines = 'value:\n{{ .Values.a | fromYaml | toYaml | indent 2 }}';
  const order = { a: 'b: 1\nc: 2' };
  const strict = await openModule(t, 'helm', { files: chartFiles({ 'a.yaml': configMap(lines) }), program });
  await t.rejects(strict.bind([]).render(order), { reason: 'render', message: /does not quote it: a$/ });
  const annotations = { 'frontdesk.dev/quotes-values': 'true' };
  const files = chartFiles({ 'a.yaml': configMap(lines) }, { annotations });
  const claim = await (await openModule(t, 'helm', { files, program })).bind([]).render(order);
  t.match(claim, /^value:\n {2}b: 1\n {2}c: 2$/m);
});
