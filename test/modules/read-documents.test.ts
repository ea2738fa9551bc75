import { test } from 'tap';
import {
  kubernetesObject,
  MAX_DOCUMENT_DEPTH,
  MAX_DOCUMENTS,
  readJson,
  readYaml,
} from '../../src/modules/read-documents.ts';

const refused = (message: RegExp) => ({ name: 'ModuleError', reason: 'render', message });

test('YAML is read as Kubernetes reads it', async (t) => {
  const text = `
mode: 0644
bool: [yes, no, on, off, true, y]
time: 1:30
date: 2001-01-01
float: 1e+06
text: "yes"
port: {8080: http}
base: &base {a: 1}
merged: {<<: *base, b: 2}
block: |
  a

---
# nothing
---
- 1
`;
  t.same(readYaml(text, 'helm'), [
    {
      mode: 420,
      bool: [true, false, true, false, true, true],
      time: '1:30',
      date: '2001-01-01',
      float: 1_000_000,
      text: 'yes',
      port: { '8080': 'http' },
      base: { a: 1 },
      merged: { a: 1, b: 2 },
      block: 'a\n',
    },
    null,
    [1],
  ]);
  t.same(readYaml('', 'helm'), []);
});

const aliases = `a: &a [1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, index) => {
  const [name, before] = ['bcdefghij'[index], 'abcdefghi'[index]];
  return `${name}: &${name} [${`*${before},`.repeat(8)}]`;
}).join('\n')}`;

/** What is refused, and why. */
const bad: [what: string, text: string, message: RegExp][] = [
  ['no YAML', 'a: [', /^helm: document 1 is not YAML: .*at line 1/s],
  ['a key twice', 'a: 1\na: 2', /^helm: document 1 is not YAML: Map keys must be unique/],
  ['aliases that explode', aliases, /Excessive alias count/],
  ['an alias of nothing', 'a: *b', /Unresolved alias/],
  [
    'deep nesting',
    `${'['.repeat(MAX_DOCUMENT_DEPTH + 2)}${']'.repeat(MAX_DOCUMENT_DEPTH + 2)}`,
    /nested deeper than 64/,
  ],
  ['very deep nesting', '['.repeat(100_000), /is not YAML|nested deeper/],
  ['many documents', '--- 1\n'.repeat(MAX_DOCUMENTS + 1), /more than 256 documents/],
  ['a number beyond what is exact', 'a: 9007199254740993', /the number 9007199254740993, which not every reader/],
  ['infinity', 'a: .inf', /the number Infinity/],
  ['half of a surrogate pair', '"\\ud800"', /half of a surrogate pair|is not YAML/],
];

for (const [what, text, message] of bad) {
  test(`${what} in an engine's YAML is refused`, async (t) => {
    t.throws(() => readYaml(text, 'helm'), refused(message));
  });
}

test('JSON is one document', async (t) => {
  t.same(readJson('{"a": [1, "b", null, true]}', 'kcl'), [{ a: [1, 'b', null, true] }]);
  for (const text of ['', '{} {}', 'hello\n{}'])
    t.throws(() => readJson(text, 'kcl'), refused(/^kcl printed something that is not JSON$/));
  t.throws(() => readJson('9007199254740993', 'kcl'), refused(/which not every reader/));
});

test('a key like __proto__ is a key', async (t) => {
  for (const [value] of [readJson('{"__proto__": {"a": 1}}', 'kcl'), readYaml('__proto__: {a: 1}', 'helm')]) {
    t.equal(JSON.stringify(value), '{"__proto__":{"a":1}}');
  }
});

test('what is no Kubernetes object is refused with what it lacks', async (t) => {
  const cases: [value: Parameters<typeof kubernetesObject>[0], message: RegExp][] = [
    ['text', /^x is not an object$/],
    [[], /^x is not an object$/],
    [{ kind: 'A' }, /^x has no apiVersion$/],
    [{ apiVersion: 'v1' }, /^x has no kind$/],
    [{ apiVersion: 'v1', kind: 1 }, /^x has no kind$/],
    [{ apiVersion: '', kind: 'A' }, /^x has no apiVersion$/],
  ];
  for (const [value, message] of cases) t.throws(() => kubernetesObject(value, 'x'), refused(message));
  t.ok(kubernetesObject({ apiVersion: 'v1', kind: 'A' }, 'x'));
});
