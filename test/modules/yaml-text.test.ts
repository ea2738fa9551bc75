import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { test } from 'tap';
import { parseDocument } from 'yaml';
import type { Json } from '../../src/modules/module.ts';
import { yamlText } from '../../src/modules/yaml-text.ts';
import { readWithPyYaml } from './pyyaml.ts';
import { anyJson, hostileStrings } from './values.ts';

const LIMIT = 10_000_000;
const write = (value: Json) => yamlText(value, LIMIT);

/** What the package `yaml` reads, which must have nothing to complain about. */
function read(text: string, version: '1.1' | '1.2'): unknown {
  const document = parseDocument(text, { version });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  return document.toJS();
}

test('a document is written the way people write it', async (t) => {
  const value = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a-b', labels: { 'app.kubernetes.io/name': 'x' }, annotations: {} },
    list: [1, 'two', { a: 1, b: [] }, ['x', ['z']], [], {}],
    storage: '20Gi',
    on: true,
    none: null,
    text: 'two\nlines',
  };
  t.equal(
    write(value),
    `apiVersion: v1
kind: ConfigMap
metadata:
  name: a-b
  labels:
    app.kubernetes.io/name: x
  annotations: {}
list:
  - 1
  - two
  - a: 1
    b: []
  - - x
    - - z
  - []
  - {}
storage: 20Gi
"on": true
none: null
text: "two\\nlines"
`,
  );
});

test('a scalar or an empty collection is a document too', async (t) => {
  t.equal(write('x'), 'x\n');
  t.equal(write(''), '""\n');
  t.equal(write({}), '{}\n');
  t.equal(write([]), '[]\n');
  t.equal(write(null), 'null\n');
});

test('a string that some reader takes for something else is quoted', async (t) => {
  const quoted = /^"[\x20-\x7e\xa0-\ufffd\u{10000}-\u{10ffff}]*"\n$/u;
  t.same(
    hostileStrings.filter((text) => !quoted.test(write(text))),
    [],
  );
});

test('plain text stays without quotes', async (t) => {
  for (const text of ['a', 'default', 'db.t3.micro', 'apps/v1', 'ReadWriteOnce', '20Gi', '500M', 'yes-or-no', 'A_b']) {
    t.equal(write(text), `${text}\n`);
  }
});

test('no short text is plain that some reader takes for something else', async (t) => {
  const letters = [...'aefnostuxyEFNOSTUXY01_./-'];
  const two = letters.flatMap((a) => ['', ...letters].map((b) => a + b));
  const plain = two.flatMap((ab) => ['', ...letters].map((c) => ab + c)).filter((text) => write(text) === `${text}\n`);
  t.ok(plain.length > 10_000);
  const text = write(plain);
  t.ok(isDeepStrictEqual(read(text, '1.1'), plain));
  t.ok(isDeepStrictEqual(read(text, '1.2'), plain));
  const readings = readWithPyYaml([text]);
  if ('missing' in readings) return;
  for (const results of readings.loaders.values()) t.ok(isDeepStrictEqual(results, [{ documents: [plain] }]));
});

test('numbers keep their value and kind in YAML 1.1 too', async (t) => {
  const cases: [number, string][] = [
    [0, '0'],
    [-0, '-0.0'],
    [-5, '-5'],
    [1.5, '1.5'],
    [1e21, '1.0e+21'],
    [1.5e-9, '1.5e-9'],
    [1e-7, '1.0e-7'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ];
  for (const [value, text] of cases) t.equal(write(value), `${text}\n`);
});

test('a text longer than allowed is refused, also by one value or one key', async (t) => {
  t.equal(yamlText({ a: 'x' }, 5), 'a: x\n');
  t.throws(() => yamlText({ a: 'x' }, 4), RangeError);
  t.throws(() => yamlText('x'.repeat(100), 99), RangeError);
  t.throws(() => yamlText({ ['x'.repeat(100)]: 1 }, 99), RangeError);
});

test('the same value is written as the same text', async (t) => {
  fc.assert(fc.property(anyJson, (value) => write(value) === write(structuredClone(value))));
  t.pass();
});

test('whatever is written is read back the same by YAML 1.1 and 1.2', async (t) => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = write(value);
      return isDeepStrictEqual(read(text, '1.2'), value) && isDeepStrictEqual(read(text, '1.1'), value);
    }),
    { numRuns: 500, examples: hostileStrings.map((text): [Json] => [{ [text]: [text, { [text]: text }] }]) },
  );
  t.pass();
});

test('whatever is written is read back the same by PyYAML, an independent reader of YAML 1.1', async (t) => {
  const values: Json[] = [
    ...hostileStrings.map((text) => ({ [text]: [text, [text], { [text]: text }] })),
    ...fc.sample(anyJson, { numRuns: 400, seed: 1 }),
    ...fc.sample(anyJson, 400),
  ];
  const readings = readWithPyYaml(values.map(write));
  if ('missing' in readings) {
    console.log(`# skipped: PyYAML is not there: ${readings.missing}`);
    t.pass('skipped', { skip: readings.missing });
    return;
  }
  for (const [loader, results] of readings.loaders) {
    t.equal(results.length, values.length);
    const wrong = results.flatMap((result, index) => {
      const value = values[index];
      const same = 'documents' in result && isDeepStrictEqual(result.documents, [value]);
      return same || value === undefined ? [] : [{ value, text: write(value), result }];
    });
    t.same(wrong.slice(0, 3), [], loader);
  }
});
