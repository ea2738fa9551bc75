import { Ajv } from 'ajv';
import fc from 'fast-check';
import { test } from 'tap';
import type { Parameter } from '../../src/catalog/claim-template.ts';
import { compileParameter } from '../../src/catalog/parameter-check.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', 'a', 'abc', '20Gi', 'my-ns', 'A_b', '🎲', '🎲🎲', 'é', 'x\ny', '007'),
);

/** Patterns that mean the same to RE2 and to ECMAScript. */
const pattern = fc.constantFrom(
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  '^[0-9]+(Gi|Mi|Ti|G|M|T)$',
  'b',
  '^$',
  '^.{1,2}$',
  '^(a|b)+$',
  '[^a-z]',
  '\\d',
);

const stringParameter = fc.record(
  {
    enum: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
    pattern,
    minLength: fc.integer({ min: 0, max: 4 }),
    maxLength: fc.integer({ min: 0, max: 6 }),
  },
  { requiredKeys: [] },
);

const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object' as const);

const parameter: fc.Arbitrary<Parameter> = fc
  .tuple(type, stringParameter, fc.option(type, { nil: undefined }))
  .map(([type, rules, items]) => ({
    name: 'p',
    type,
    ...(type === 'string' && rules),
    ...(type === 'array' && items && { items: { type: items } }),
  }));

const value = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  fc.boolean(),
  fc.jsonValue(),
);

test('a value fits exactly where Ajv says that it fits the same rules as JSON Schema', (t) => {
  const ajv = new Ajv({ unicodeRegExp: true, strict: false });
  let fits = 0;
  fc.assert(
    fc.property(parameter, value, (parameter, value) => {
      fc.pre(isExact(value));
      const { name: _, ...schema } = parameter;
      const expected = ajv.validate(schema, value);
      fits += Number(expected);
      return (compileParameter(parameter)(value).length === 0) === expected;
    }),
    { numRuns: 3000 },
  );
  t.ok(fits > 100, `${fits} of the values fitted`);
  t.end();
});

test('each broken rule has its own reason', (t) => {
  const check = compileParameter({
    name: 'a',
    type: 'string',
    enum: ['abc'],
    pattern: '^b',
    minLength: 3,
    maxLength: 1,
  });
  t.same(check('aa'), [
    'must be one of abc',
    'must have at least 3 characters',
    'must have at most 1 characters',
    'must match the pattern ^b',
  ]);
  t.end();
});

test('lengths count code points, not UTF-16 units', (t) => {
  const check = compileParameter({ name: 'a', type: 'string', minLength: 2, maxLength: 2 });
  t.same(check('🎲🎲'), []);
  t.equal(check('🎲').length, 1);
  t.end();
});

test('a value that would not reach the claim as it was given is refused', (t) => {
  const any = compileParameter({ name: 'a', type: 'array' });
  for (const value of [['\ud800'], [2 ** 53], [{ '\udfff': 1 }], [Number.POSITIVE_INFINITY]]) {
    t.match(any(value), [/not valid Unicode, or a number too large/]);
  }
  t.equal(compileParameter({ name: 'a', type: 'integer' })(2 ** 53).length, 1);
  t.end();
});

test('a pattern that makes other engines backtrack for ever is answered at once', (t) => {
  const check = compileParameter({ name: 'a', type: 'string', pattern: '^(a+)+$' });
  const started = process.cpuUsage();
  t.equal(check(`${'a'.repeat(100_000)}b`).length, 1);
  // An exponential engine would not end within the age of the universe; this bound only tells the two apart.
  t.ok(process.cpuUsage(started).user < 60_000_000);
  t.end();
});

/** What JSON carries without loss; the rest is refused on purpose, and has its own test. */
function isExact(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, child]) => key.isWellFormed() && isExact(child));
}
