import { test } from 'tap';
import { parseTemplate } from '../../src/catalog/parse-template.ts';

const problemsOf = (change: { metadata?: object; spec?: object; parameters?: object[] } & Record<string, unknown>) => {
  const { metadata = {}, spec = {}, parameters, ...top } = change;
  const parsed = parseTemplate({
    apiVersion: 'frontdesk.dev/v1alpha1',
    kind: 'ClaimTemplate',
    metadata: { name: 'x', ...metadata },
    spec: { type: 'x', source: 'oci://r.example.org/x', ...spec, ...(parameters && { parameters }) },
    ...top,
  });
  return 'problems' in parsed ? parsed.problems.map(({ path, reason }) => `${path}: ${reason}`) : [];
};

test('a template with the least in it is taken', (t) => {
  t.same(problemsOf({}), []);
  t.end();
});

test('each broken rule is a problem with the path of its field', (t) => {
  const cases: [Parameters<typeof problemsOf>[0], RegExp][] = [
    [{ apiVersion: 'v1' }, /^apiVersion: /],
    [{ kind: 'Claim' }, /^kind: /],
    [{ metadata: { name: 'Upper' } }, /^metadata\.name: /],
    [{ metadata: { name: '-a' } }, /^metadata\.name: /],
    [{ metadata: { name: 'a'.repeat(64) } }, /^metadata\.name: /],
    [{ metadata: { labels: { a: 1 } } }, /^metadata\.labels\.a: /],
    [{ spec: { source: 'https://example.org' } }, /^spec\.source: /],
    [{ spec: { source: undefined } }, /^spec\.source: /],
    [{ spec: { type: '' } }, /^spec\.type: /],
    [{ parameters: [{ name: '1a', type: 'string' }] }, /^spec\.parameters\[0\]\.name: /],
    [{ parameters: [{ name: 'a' }] }, /^spec\.parameters\[0\]\.type: /],
    [{ parameters: [{ name: 'a', type: 'date' }] }, /^spec\.parameters\[0\]\.type: must be one of string, integer/],
    [
      {
        parameters: [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'string' },
        ],
      },
      /^spec\.parameters\[1\]\.name: a is taken/,
    ],
    [
      { parameters: [{ name: 'a', type: 'integer', enum: ['1'] }] },
      /^spec\.parameters\[0\]\.enum: is for strings only/,
    ],
    [
      { parameters: [{ name: 'a', type: 'array', pattern: 'x' }] },
      /^spec\.parameters\[0\]\.pattern: is for strings only/,
    ],
    [{ parameters: [{ name: 'a', type: 'string', items: { type: 'string' } }] }, /\.items: is for arrays only/],
    [
      { parameters: [{ name: 'a', type: 'string', minLength: 3, maxLength: 2 }] },
      /\.minLength: is larger than maxLength/,
    ],
    [{ parameters: [{ name: 'a', type: 'string', pattern: '(' }] }, /\.pattern: .*missing closing/],
    [{ parameters: [{ name: 'a', type: 'string', pattern: '(?=a)' }] }, /\.pattern: .*Perl syntax/],
    [{ parameters: [{ name: 'a', type: 'string', pattern: '(a)\\1' }] }, /\.pattern: .*escape/],
    [{ parameters: [{ name: 'a', type: 'string', default: 5 }] }, /\.default: must be a string/],
    [{ parameters: [{ name: 'a', type: 'string', enum: ['x'], default: 'y' }] }, /\.default: must be one of x/],
    [
      { parameters: [{ name: 'a', type: 'string', enum: ['x', 'long'], maxLength: 2 }] },
      /\.enum\[1\]: must have at most 2/,
    ],
    [{ parameters: [{ name: 'a', type: 'string', allowRandom: true }] }, /\.allowRandom: needs an enum/],
    [{ parameters: [{ name: 'a', type: 'string', required: true, hidden: true }] }, /\.default: is needed/],
  ];
  for (const [change, expected] of cases) {
    const problems = problemsOf(change);
    t.ok(
      problems.some((problem) => expected.test(problem)),
      `${expected} in ${JSON.stringify(problems)}`,
    );
  }
  t.end();
});

test('all problems are told at once', (t) => {
  const parameters = ['a', 'b', 'c'].map((name) => ({ name, type: 'boolean', default: 'yes' }));
  t.equal(problemsOf({ parameters }).length, 3);
  t.end();
});

test('nothing that can be parsed from JSON makes it throw', (t) => {
  for (const value of [null, true, 0, '', [], {}, { metadata: null }, { spec: [] }, [[]]]) {
    t.ok('problems' in parseTemplate(value), JSON.stringify(value));
  }
  t.end();
});
