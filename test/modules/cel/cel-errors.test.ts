import { test } from 'tap';
import type { Parameter } from '../../../src/catalog/claim-template.ts';
import type { Json } from '../../../src/modules/module.ts';
import { compileResources, compileText, render, resource } from './cel-module.ts';

const failed = (reason: 'invalid' | 'render', message: RegExp) => ({ name: 'ModuleError', reason, message });
const parameter = (name: string, type: Parameter['type'], more: Partial<Parameter> = {}): Parameter => {
  return { name, type, required: true, ...more };
};

test('an expression that is no CEL is refused when the module is loaded', async (t) => {
  const cases: [string, RegExp][] = [
    ['${1 +}', /config\.template\.data: \$\{1 \+\}: <input>:1:\d+: found/],
    ['${}', /\$\{\}: /],
    ['${foo(}', /is not closed|found/],
    ['${parameters.?}', /found/],
    ['${"a}', /not closed/],
    ['a ${b', /\$\{ is not closed/],
    [`\${"${'x'.repeat(5000)}"}`, /longer than 4096 characters/],
  ];
  for (const [text, message] of cases)
    t.throws(() => compileResources([resource(text)]), failed('invalid', message), text);
});

test('a variable, function or type that is not there is refused when the module is loaded', async (t) => {
  const cases: [string, RegExp][] = [
    ['name', /there is no variable name/],
    ['schema.spec.name', /there is no variable schema/],
    ['[1].map(a, b)', /there is no variable b/],
    ['[1].map(a, a) + a', /there is no variable a/],
    ['shout("a")', /there is no function shout/],
    ['"a".shout()', /there is no function shout/],
    ['optional.some(1)', /there is no function some/],
    ['"a".split()', /the method split does not take 0 arguments/],
    ['split("a", "b")', /the function split does not take 2 arguments/],
    ['optional.none(1)', /the function optional.none does not take 1 arguments/],
    ['google.protobuf.Value{}', /there is no type google.protobuf.Value/],
    ['parameters', /is to be used as `parameters.name`/],
    ['size(parameters)', /is to be used as/],
    ['parameters["a" + "b"]', /is to be used as/],
    ['"a" in parameters', /is to be used as/],
    ['[1].map(parameters, parameters)', /may not name its variable/],
  ];
  for (const [source, message] of cases) {
    t.throws(() => compileResources([resource(`\${${source}}`)]), failed('invalid', message), source);
  }
});

test('a parameter that the template does not have is refused when the template is bound', async (t) => {
  const sources = [
    'parameters.y',
    'has(parameters.y)',
    'parameters["y"]',
    '[1].map(a, parameters.y)',
    'true || parameters.y == 1',
  ];
  for (const source of [...sources, 'parameters.?y', '{"a": parameters.y}', '-parameters.y', '.parameters.y']) {
    const module = compileResources([resource(`\${${source}}`)]);
    t.throws(
      () => module.bind([parameter('x', 'string')]),
      failed('invalid', /module.yaml line \d+ column \d+, config.template.data: .*the template has no parameter y/),
      source,
    );
  }
});

test('types that can never work are refused when the template is bound', async (t) => {
  const cases: [string, Parameter['type']][] = [
    ['parameters.x + 1', 'string'],
    ['parameters.x + "a"', 'integer'],
    ['parameters.x + 1', 'number'],
    ['parameters.x.lowerAscii()', 'integer'],
    ['parameters.x[0].lowerAscii()', 'array'],
    ['b"bytes"', 'string'],
    ['timestamp("2020-01-01T00:00:00Z")', 'string'],
    ['duration("1h")', 'string'],
    ['int', 'string'],
    ['{1: 2}', 'string'],
  ];
  for (const [source, type] of cases) {
    const module = compileResources([resource(`\${${source}}`)]);
    t.throws(() => module.bind([parameter('x', type, { items: { type: 'integer' } })]), failed('invalid', /./), source);
  }
});

test('a condition that is neither true nor false is refused when the template is bound', async (t) => {
  const module = compileResources([resource(1, { includeWhen: ['${parameters.x}'] })]);
  t.throws(
    () => module.bind([parameter('x', 'string')]),
    failed('invalid', /config.includeWhen\[0\]: \$\{parameters.x\}: the result is neither true nor false/),
  );
});

test('a condition that is not exactly one expression is refused when the module is loaded', async (t) => {
  for (const text of ['true', '${true} ', '${true}${true}', '']) {
    t.throws(
      () => compileResources([resource(1, { includeWhen: [text] })]),
      failed('invalid', /not exactly one/),
      text,
    );
  }
});

test('an optional parameter that is used without asking is refused when the template is bound', async (t) => {
  const optional = parameter('x', 'string', { required: false });
  const bind = (data: string, one: Parameter, includeWhen: string[] = []) =>
    compileResources([resource(data, { includeWhen })]).bind([one]);
  t.throws(() => bind('${parameters.x}', optional), failed('invalid', /x may have no value; ask has\(parameters.x\)/));
  t.throws(() => bind('a ${parameters.x + "b"}', optional), failed('invalid', /x may have no value/));
  t.doesNotThrow(() => bind('${has(parameters.x) ? parameters.x : "none"}', optional));
  t.doesNotThrow(() => bind('${parameters.?x}', optional));
  t.doesNotThrow(() => bind('${parameters.x}', optional, ['${has(parameters.x)}']));
  t.doesNotThrow(() => bind('${parameters.x}', parameter('x', 'string', { required: false, default: 'a' })));
  t.doesNotThrow(() => bind('${parameters.x}', parameter('x', 'string')));
});

test('an expression that fails on these values names place, expression and cause', async (t) => {
  const cases: [string, Parameter['type'], Json, RegExp][] = [
    [
      '${int(parameters.x)}',
      'string',
      'abc',
      /line \d+ column \d+, config.template.data: \$\{int\(parameters.x\)\}: Cannot convert abc/,
    ],
    ['${1 / parameters.x}', 'integer', 0, /divide by zero/],
    [
      '${parameters.x + 1}',
      'integer',
      Number.MAX_SAFE_INTEGER,
      /9007199254740992 is beyond the integers that are safe/,
    ],
    ['${parameters.x * parameters.x * parameters.x * 1000000}', 'integer', 9e12, /overflow/],
    ['${parameters.x / 0.0}', 'number', 1, /Infinity is not a finite number/],
    ['${parameters.x / 0.0}', 'number', 0, /NaN is not a finite number/],
    ['${parameters.x.key}', 'object', {}, /field not found: key/],
    ['${parameters.x[3]}', 'array', [], /out of bounds/],
    ['${parameters.x.matches(parameters.x)}', 'string', '(', /./],
    ['${parameters.x.substring(5)}', 'string', 'abc', /out of bounds/],
    ['n-${parameters.x}', 'object', {}, /the result is \{\}, which is no text/],
    ['n-${parameters.x}', 'array', [1], /the result is \[1\], which is no text/],
    ['n-${parameters.x.n}', 'object', { n: null }, /the result is null, which is no text/],
    ['n-${optional.none()}', 'string', '', /the result is no value, which is no text/],
    ['${parameters.x}', 'integer', 1.5, /parameter x: /],
    ['${parameters.x}', 'string', 'a\ud800', /half of a surrogate pair/],
    ['${parameters.x}', 'object', { '\udc00': 1 }, /half of a surrogate pair/],
    ['${parameters.x.replace("", "a")}', 'string', 'a', /something to look for/],
  ];
  for (const [text, type, value, message] of cases) {
    await t.rejects(render(text, [parameter('x', type)], { x: value }), failed('render', message), text);
  }
});

test('a condition that fails on these values fails the order', async (t) => {
  const renderer = compileResources([resource(1, { includeWhen: ['${int(parameters.x) > 1}'] })]).bind([
    parameter('x', 'string'),
  ]);
  await t.rejects(renderer.render({ x: 'abc' }), failed('render', /config.includeWhen\[0\]/));
  t.equal(await renderer.render({ x: '1' }), '');
});

test('an order that fails leaves the next one alone', async (t) => {
  const renderer = compileResources([resource('${int(parameters.x)}')]).bind([parameter('x', 'string')]);
  await t.rejects(renderer.render({ x: 'abc' }));
  t.match(await renderer.render({ x: '5' }), /data: 5\n/);
});

test('a message that quotes a long value is cut', async (t) => {
  const error = await render('${int(parameters.x)}', [parameter('x', 'string')], { x: 'z'.repeat(100_000) }).catch(
    (thrown: unknown) => thrown,
  );
  t.ok(error instanceof Error && error.message.length < 700);
});

test('the line is that of the value in module.yaml', async (t) => {
  const text = `apiVersion: frontdesk.dev/v1alpha1
kind: Module
metadata:
  name: demo
spec:
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: fine
        data:
          list:
            - fine
            - \${broken}
`;
  const message = 'module.yaml line 16 column 15, config.template.data.list[1]: ${broken}: there is no variable broken';
  t.throws(() => compileText(text), { name: 'ModuleError', reason: 'invalid', message });
});

test('line and column are those of the expression, where it stands there as it is', async (t) => {
  const text = (data: string) => `apiVersion: frontdesk.dev/v1alpha1
kind: Module
metadata: {name: demo}
spec:
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {}
        data: ${data}
`;
  const cases: [data: string, place: string][] = [
    ['${broken}', 'line 11 column 15'],
    ['a ${1} b ${broken}', 'line 11 column 24'],
    ['"${broken}"', 'line 11 column 16'],
    ['"\\x24{broken}"', 'line 11 column 15'],
    ['"a\n\n          ${broken}"', 'line 13 column 11'],
  ];
  for (const [data, place] of cases) {
    const message = `module.yaml ${place}, config.template.data: \${broken}: there is no variable broken`;
    t.throws(() => compileText(text(data)), { reason: 'invalid', message }, data);
  }
});

test('both sides of a branch are tried when the template is bound, whichever an order takes', async (t) => {
  const one = parameter('x', 'integer');
  const wrong = [
    'parameters.x > 0 ? "a" : parameters.x + "b"',
    'parameters.x < 0 ? parameters.x + "b" : "a"',
    'parameters.x < 0 && parameters.x + "b" == "a"',
    'parameters.x > 0 || parameters.x.contains("a")',
    '[parameters.x > 0 ? 1 : (parameters.x > 1 ? parameters.x + 1.0 : 2)]',
  ];
  for (const source of wrong) {
    const message = /found no matching overload/;
    t.throws(() => compileResources([resource(`\${${source}}`)]).bind([one]), failed('invalid', message), source);
  }
  const fine = ['parameters.x > 0 ? 1 / parameters.x : 0', '[1, 2].exists(e, e > parameters.x && e < 9) ? "a" : 1'];
  for (const source of fine) t.ok(compileResources([resource(`\${${source}}`)]).bind([one]), source);
});

test('an expression in a key is refused', async (t) => {
  t.throws(() => compileResources([resource({ '${parameters.x}': 1 })]), failed('invalid', /is a key with \$\{…\}/));
});
