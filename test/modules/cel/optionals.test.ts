import { test } from 'tap';
import type { Parameter } from '../../../src/catalog/claim-template.ts';
import { withoutOptionalSyntax } from '../../../src/modules/cel/optional-syntax.ts';
import type { Json, ParameterValues } from '../../../src/modules/module.ts';
import { compileResources, render, resource } from './cel-module.ts';

const text: Parameter = { name: 'x', type: 'string' };
const object: Parameter = { name: 'o', type: 'object', required: true };
const list: Parameter = { name: 'l', type: 'array', required: true };

/** The value that an expression makes of `data`; `null` where the key is dropped. */
async function madeOf(expression: string, parameters: Parameter[], values: ParameterValues): Promise<string | null> {
  const claim = await render({ value: expression, end: 1 }, parameters, values);
  return /^ {2}value:\s*(.*?)\n {2}end: 1$/ms.exec(claim)?.[1] ?? null;
}

const deep: Json = { a: { b: 'deep', list: ['first'] }, 'k-1': 1 };

/** Expressions, and what they make where everything is there, and where nothing is. */
const cases: [expression: string, there: string | null, absent: string | null][] = [
  ['parameters.?x', 'given', null],
  ['parameters[?"x"]', 'given', null],
  ['parameters.?x.orValue("none")', 'given', 'none'],
  ['parameters.?x.or(optional.of("none"))', 'given', 'none'],
  ['parameters.?x.hasValue()', 'true', 'false'],
  ['parameters.?x.hasValue() ? parameters.x + "!" : "none"', '"given!"', 'none'],
  ['parameters.o.?a', 'b: deep\n    list:\n      - first', null],
  ['parameters.o.?a.?b', 'deep', null],
  ['parameters.o.?a.b', 'deep', null],
  ['parameters.o[?"a"].b.orValue("none")', 'deep', 'none'],
  ['parameters.o.?a["b"].orValue("none")', 'deep', 'none'],
  ['parameters.o.?a.list[0].orValue("none")', 'first', 'none'],
  ['parameters.o.?a.?list[?1].orValue("none")', 'none', 'none'],
  ['parameters.o[?"k" + "-1"].orValue(0)', '1', '0'],
  ['parameters.l[?0].orValue("none")', 'zero', 'none'],
  ['parameters.l[?size(parameters.l) - 1]', 'one', null],
  ['parameters.l[?-1].orValue("none")', 'none', 'none'],
  ['{"a": 1, ?"b": parameters.?x}', 'a: 1\n    b: given', 'a: 1'],
  ['{?"b": parameters.?x, "a": 1}', 'b: given\n    a: 1', 'a: 1'],
  ['[1, ?parameters.?x]', '- 1\n    - given', '- 1'],
  ['[?parameters.?x, ?optional.none(), 2]', '- given\n    - 2', '- 2'],
  ['optional.ofNonZeroValue(parameters.?x.orValue(""))', 'given', null],
  ['".?x [?1] {?a}" + (1 > 2 ? ".?" : "")', '".?x [?1] {?a}"', '".?x [?1] {?a}"'],
  ['(true ?[1]: [2])[0]', '1', '1'],
];

for (const [expression, there, absent] of cases) {
  test(`${expression} knows what is there and what is not`, async (t) => {
    const all = { x: 'given', o: deep, l: ['zero', 'one'] };
    t.equal(await madeOf(`\${${expression}}`, [text, object, list], all), there);
    t.equal(await madeOf(`\${${expression}}`, [text, object, list], { o: {}, l: [] }), absent);
  });
}

test('an expression without optionals stays as it is', async (t) => {
  for (const source of ['a ? b : c', 'a.b ?[1] : [2]', '[a ? 1 : 2]', '{"a": b ? 1 : 2}', 'a.b(c)[0].d', '// [?']) {
    t.equal(withoutOptionalSyntax(source), source);
  }
});

test('selecting from what has no entries fails when the template is bound', async (t) => {
  const module = compileResources([resource('${parameters.x.?y}')]);
  t.throws(() => module.bind([{ ...text, required: true }]), { reason: 'invalid', message: /only maps and lists/ });
});

test('an optional that may have no value is refused where one is needed', async (t) => {
  const needing = [
    resource('name-${parameters.?x}'),
    resource('${parameters.?x + "a"}'),
    resource('${parameters.?x.value()}'),
  ];
  for (const one of needing) {
    t.throws(
      () => compileResources([one]).bind([text]),
      { reason: 'invalid', message: /x may have no value/ },
      JSON.stringify(one),
    );
  }
  const condition = compileResources([resource(1, { includeWhen: ['${parameters.?x}'] })]);
  const message = /includeWhen\[0\].* x may have no value/;
  t.throws(() => condition.bind([{ name: 'x', type: 'boolean' }]), { reason: 'invalid', message });
  const asked = resource('${parameters.x}', { includeWhen: ['${has(parameters.x)}', '${parameters.x != ""}'] });
  t.equal(await compileResources([asked]).bind([text]).render({}), '');
});
