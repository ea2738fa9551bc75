import { test } from 'tap';
import { parse } from 'yaml';
import type { Parameter } from '../../../src/catalog/claim-template.ts';
import type { Json, ParameterValues } from '../../../src/modules/module.ts';
import { compileResources, render, resource } from './cel-module.ts';

/** The `data` that comes out. */
async function data(template: unknown, parameters: Parameter[] = [], values: ParameterValues = {}): Promise<unknown> {
  return parse(await render(template, parameters, values)).data;
}

const one = (type: Parameter['type'], more: Partial<Parameter> = {}): Parameter[] => [{ name: 'x', type, ...more }];
const sure = { required: true };

test('a string that is one expression keeps the type of its value', async (t) => {
  const cases: [Parameter['type'], Json][] = [
    ['string', 'text'],
    ['string', '012'],
    ['integer', 5],
    ['integer', -0],
    ['integer', Number.MAX_SAFE_INTEGER],
    ['number', 1.5],
    ['number', 2],
    ['boolean', true],
    ['array', ['a', 1, 1.5, [true], { k: 'v' }]],
    ['object', { a: { b: [1, 'x'] }, on: null }],
  ];
  for (const [type, value] of cases) {
    t.same(await data('${parameters.x}', one(type, sure), { x: value }), value, `${type} ${JSON.stringify(value)}`);
  }
});

test('a string with more than one expression is text', async (t) => {
  const parameters: Parameter[] = [
    { name: 's', type: 'string', ...sure },
    { name: 'i', type: 'integer', ...sure },
    { name: 'n', type: 'number', ...sure },
    { name: 'b', type: 'boolean', ...sure },
  ];
  const text = '${parameters.s}-${parameters.i}-${parameters.n}-${parameters.b}';
  t.equal(await data(text, parameters, { s: 'a', i: 12, n: 0.5, b: false }), 'a-12-0.5-false');
  t.equal(await data('${parameters.i}${parameters.i}', parameters, { s: '', i: 1, n: 1, b: true }), '11');
  t.equal(await data(' ${parameters.i}', parameters, { s: '', i: 1, n: 1, b: true }), ' 1');
});

test('what has no expression stays what it is', async (t) => {
  const value = { s: 'a $b {c}', i: 1, f: 1.5, b: true, n: null, l: [1, [], {}], e: '', '012': 'yes' };
  t.same(await data(value), value);
});

test('parameters are converted by their declared types', async (t) => {
  t.equal(await data('${parameters.x / 2}', one('integer', sure), { x: 5 }), 2);
  t.equal(await data('${parameters.x / 2.0}', one('number', sure), { x: 5 }), 2.5);
  t.equal(
    await data('${type(parameters.x[0]) == int}', one('array', { ...sure, items: { type: 'integer' } }), { x: [1] }),
    true,
  );
  t.equal(
    await data('${type(parameters.x[0]) == double}', one('array', { ...sure, items: { type: 'number' } }), { x: [1] }),
    true,
  );
  t.equal(await data('${type(parameters.x[0]) == int}', one('array', sure), { x: [1] }), true);
  t.equal(await data('${parameters.x.n + 1}', one('object', sure), { x: { n: 1 } }), 2);
});

test('strings have the methods of the string extension', async (t) => {
  const cases: [string, unknown][] = [
    ['parameters.x.lowerAscii().replace("_", "-")', 'a-b-c'],
    ['parameters.x.replace("_", "-", 1)', 'A-b_C'],
    ['parameters.x.replace("_", "-", 0)', 'A_b_C'],
    ['parameters.x.replace("_", "-", -1)', 'A-b-C'],
    ['parameters.x.replace("none", "-")', 'A_b_C'],
    ['parameters.x.split("_")', ['A', 'b', 'C']],
    ['parameters.x.split("_").join("+")', 'A+b+C'],
    ['parameters.x.indexOf("b")', 2],
    ['parameters.x.substring(2, 3)', 'b'],
    ['"%s is %d".format([parameters.x, 1])', 'A_b_C is 1'],
    ['parameters.x.matches("^[A-Z]_b")', true],
    ['size(parameters.x)', 5],
  ];
  for (const [source, expected] of cases)
    t.same(await data(`\${${source}}`, one('string', sure), { x: 'A_b_C' }), expected, source);
});

test('macros make lists and maps', async (t) => {
  const parameters = one('array', { ...sure, items: { type: 'string' } });
  const values = { x: ['a=1', 'b', 'c=2'] };
  t.same(await data('${parameters.x.filter(e, e.contains("="))}', parameters, values), ['a=1', 'c=2']);
  t.same(await data('${parameters.x.map(e, {"k": e.split("=")[0]})}', parameters, values), [
    { k: 'a' },
    { k: 'b' },
    { k: 'c' },
  ]);
  t.equal(await data('${parameters.x.exists(e, e == "b") && parameters.x.all(e, e != "")}', parameters, values), true);
  t.same(await data('${parameters.x + ["d"]}', parameters, values), ['a=1', 'b', 'c=2', 'd']);
});

test('a long list is mapped without running out of stack', async (t) => {
  const x = Array.from({ length: 2000 }, (_, index) => `${index}`);
  const parameters = one('array', { ...sure, items: { type: 'string' } });
  t.same(
    await data('${parameters.x.map(e, "n" + e)}', parameters, { x }),
    x.map((e) => `n${e}`),
  );
});

test('an optional without value drops the key or element that it stands for', async (t) => {
  const template = {
    kept: '${parameters.?x}',
    list: ['${parameters.?x}', 'a', '${ parameters.?x }'],
    chosen: '${has(parameters.x) ? optional.of(parameters.x + "!") : optional.none()}',
    inside: '${[optional.none(), 1, {"a": optional.none(), "b": 2}]}',
    empty: { only: '${optional.none()}' },
  };
  t.same(await data(template, one('string')), { list: ['a'], inside: [1, { b: 2 }], empty: {} });
  t.same(await data(template, one('string'), { x: 'v' }), {
    kept: 'v',
    list: ['v', 'a', 'v'],
    chosen: 'v!',
    inside: [1, { b: 2 }],
    empty: {},
  });
});

test('a parameter without value has no key', async (t) => {
  t.equal(await data('${has(parameters.x)}', one('string')), false);
  t.equal(await data('${has(parameters.x)}', one('string'), { x: '' }), true);
  t.equal(await data('${has(parameters.x)}', one('string'), { y: 'not declared' }), false);
  t.equal(await data('${has(parameters.toString)}', [{ name: 'toString', type: 'string' }]), false);
});

test('a resource is there if all of its conditions are true', async (t) => {
  const parameters: Parameter[] = [
    { name: 'a', type: 'boolean', ...sure },
    { name: 'b', type: 'boolean', ...sure },
  ];
  const renderer = compileResources([
    resource(1, { id: 'first' }),
    resource(2, { id: 'second', includeWhen: ['${parameters.a}', '${!parameters.b}'] }),
    resource(3, { id: 'third', includeWhen: ['${parameters.b}'] }),
  ]).bind(parameters);
  const document = (value: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {}\ndata: ${value}\n`;
  t.equal(await renderer.render({ a: true, b: false }), `${document(1)}---\n${document(2)}`);
  t.equal(await renderer.render({ a: true, b: true }), `${document(1)}---\n${document(3)}`);
  t.equal(await renderer.render({ a: false, b: false }), document(1));
});

test('a module whose resources are all left out renders to nothing', async (t) => {
  const renderer = compileResources([resource(1, { includeWhen: ['${false}'] })]).bind([]);
  t.equal(await renderer.render({}), '');
});

test('a CEL string gives text that would be a placeholder', async (t) => {
  t.equal(await data('${"${HOME}"}/x'), '${HOME}/x');
});

test('keys of maps keep their order, and may be called anything', async (t) => {
  const value = JSON.parse('{"z": 1, "a": 2, "__proto__": {"x": 1}, "constructor": 3, "on": 4, "": 5}');
  const text = await render('${parameters.x}', one('object', sure), { x: value });
  t.match(text, 'data:\n  z: 1\n  a: 2\n  __proto__:\n'.replace('__proto__', '"__proto__"'));
  t.same(Object.entries(parse(text).data), Object.entries(value));
});

test('one module serves templates with different parameters', async (t) => {
  const module = compileResources([resource('${parameters.x}')]);
  const text = module.bind(one('string', sure));
  const count = module.bind([
    { name: 'x', type: 'integer', ...sure },
    { name: 'y', type: 'string' },
  ]);
  t.match(await text.render({ x: '1' }), /data: "1"/);
  t.match(await count.render({ x: 1 }), /data: 1\n/);
});

test('the same values render to the same bytes, also at the same time', async (t) => {
  const renderer = compileResources([resource({ a: '${parameters.x.map(e, e + "!")}', b: '${parameters.x}' })]).bind(
    one('array', { ...sure, items: { type: 'string' } }),
  );
  const texts = await Promise.all(Array.from({ length: 20 }, () => renderer.render({ x: ['b', 'a'] })));
  t.equal(new Set(texts).size, 1);
});
