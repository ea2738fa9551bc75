import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { test } from 'tap';
import { parseAllDocuments } from 'yaml';
import type { Parameter } from '../../../src/catalog/claim-template.ts';
import type { Json } from '../../../src/modules/module.ts';
import { readWithPyYaml } from '../pyyaml.ts';
import { anyJson, anyText, hostileStrings } from '../values.ts';
import { compileResources, resource } from './cel-module.ts';

const parameters: Parameter[] = [
  { name: 'text', type: 'string', required: true },
  { name: 'list', type: 'array', required: true, items: { type: 'string' } },
  { name: 'any', type: 'object', required: true },
];
interface Values extends Record<string, Json> {
  text: string;
  list: string[];
  any: { [key: string]: Json };
}

const renderer = compileResources([
  resource(
    {
      whole: '${parameters.text}',
      part: 'before ${parameters.text} after',
      list: '${parameters.list}',
      mapped: '${parameters.list.map(e, {"name": e})}',
      nested: { any: '${parameters.any}', after: 'untouched' },
      key: '${{parameters.text: parameters.text}}',
    },
    { id: 'first' },
  ),
  resource({ whole: '${parameters.text}' }, { id: 'second' }),
]).bind(parameters);

/** The documents as they must be, made without CEL and YAML. */
function expected({ text, list, any }: Values): Json[] {
  const document = (data: Json): Json => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data });
  const first = {
    whole: text,
    part: `before ${text} after`,
    list,
    mapped: list.map((name) => ({ name })),
    nested: { any, after: 'untouched' },
    key: { [text]: text },
  };
  return [document(first), document({ whole: text })];
}

const values: fc.Arbitrary<Values> = fc.record({
  text: anyText,
  list: fc.array(anyText, { maxLength: 3 }),
  any: fc.array(fc.tuple(anyText, anyJson), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
});
const hostile = hostileStrings.map((text): Values => ({ text, list: [text, text], any: { [text]: text } }));

function read(text: string, version: '1.1' | '1.2'): unknown[] {
  return [...parseAllDocuments(text, { version })].map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS();
  });
}

test('whatever the values are, the claim has its own structure and exactly these values', async (t) => {
  await fc.assert(
    fc.asyncProperty(values, async (one) => {
      const text = await renderer.render(one);
      return isDeepStrictEqual(read(text, '1.2'), expected(one)) && isDeepStrictEqual(read(text, '1.1'), expected(one));
    }),
    { numRuns: 300, examples: hostile.map((one): [Values] => [one]) },
  );
  t.pass();
});

test('PyYAML, an independent reader, finds the same in every claim', async (t) => {
  const all = [...hostile, ...fc.sample(values, { numRuns: 150, seed: 1 }), ...fc.sample(values, 150)];
  const readings = readWithPyYaml(await Promise.all(all.map((one) => renderer.render(one))));
  if ('missing' in readings) {
    console.log(`# skipped: PyYAML is not there: ${readings.missing}`);
    t.pass('skipped', { skip: readings.missing });
    return;
  }
  for (const [loader, results] of readings.loaders) {
    const wrong = results.filter((result, index) => {
      const one = all[index];
      return one !== undefined && !isDeepStrictEqual(result, { documents: expected(one) });
    });
    t.same(wrong.slice(0, 3), [], loader);
    t.equal(results.length, all.length);
  }
});

test('a very long value is one value', async (t) => {
  const text = `${'long\n---\n'.repeat(20_000)}${'\u0085'.repeat(1000)}`;
  const long = { text, list: [], any: {} };
  const one = compileResources([resource('${parameters.text}')]).bind(parameters);
  t.same(read(await one.render(long), '1.1'), [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: text }]);
});
