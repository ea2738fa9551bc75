import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { type Test, test } from 'tap';
import { ClaimTemplateStatus } from '../../src/catalog/claim-template-status.ts';
import { parseTemplate } from '../../src/catalog/parse-template.ts';
import '../../src/operator/observed-template.ts';
import { sameStatus } from '../../src/operator/same-status.ts';
import { type ModuleFinding, type TemplateFindings, templateStatus } from '../../src/operator/template-status.ts';
import { someTemplate } from '../crds/broken-templates.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const good = parseTemplate(someTemplate({ parameters: [{ name: 'a', type: 'string' }] }));
const broken = parseTemplate(someTemplate({ parameters: [{ name: 'a', type: 'string', minLength: 3, maxLength: 2 }] }));
const found: ModuleFinding = { found: 'digest', digest };
const findings: TemplateFindings = {
  parsed: good,
  conflict: undefined,
  module: found,
  previous: [],
  generation: 3,
  now: Date.UTC(2026, 10, 21, 10, 30, 15, 250),
};

test('a template that is accepted and whose module is found is ready', (t) => {
  const about = { observedGeneration: 3, lastTransitionTime: '2026-11-21T10:30:15Z' };
  t.same(templateStatus(findings), {
    observedGeneration: 3,
    conditions: [
      { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'the template is valid', ...about },
      { type: 'ModuleResolved', status: 'True', reason: 'Resolved', message: `the module is ${digest}`, ...about },
      { type: 'Ready', status: 'True', reason: 'Ready', message: 'the template can be ordered', ...about },
    ],
    module: { digest },
    parameters: 1,
  });
  t.end();
});

/** What is found, and the conditions that follow as `status reason`. */
const verdicts: [what: string, change: Partial<TemplateFindings>, conditions: [string, string, string]][] = [
  ['with problems', { parsed: broken }, ['False InvalidTemplate', 'Unknown Pending', 'False InvalidTemplate']],
  [
    'whose name is taken',
    { conflict: 'some is taken by other/some' },
    ['False NameConflict', 'Unknown Pending', 'False NameConflict'],
  ],
  [
    'whose module cannot be had',
    { module: { found: 'failure', reason: 'unavailable', message: 'not found' } },
    ['True Accepted', 'False ModuleUnavailable', 'False ModuleUnavailable'],
  ],
  [
    'whose module is broken',
    { module: { found: 'failure', reason: 'invalid', message: 'no module' } },
    ['True Accepted', 'False ModuleInvalid', 'False ModuleInvalid'],
  ],
  [
    'whose module needs a program that is not there',
    { module: { found: 'failure', reason: 'engine', message: 'no helm' } },
    ['True Accepted', 'False EngineUnavailable', 'False EngineUnavailable'],
  ],
  [
    'whose module does not render',
    { module: { found: 'failure', reason: 'render', message: 'x' } },
    ['True Accepted', 'False RenderFailed', 'False RenderFailed'],
  ],
  [
    'whose module was not looked for',
    { module: { found: 'not tried' } },
    ['True Accepted', 'Unknown Pending', 'Unknown Pending'],
  ],
  [
    'of whose module nothing is known',
    { module: { found: 'unknown', message: 'x' } },
    ['True Accepted', 'Unknown Unknown', 'Unknown Unknown'],
  ],
];

for (const [what, change, expected] of verdicts) {
  test(`a template ${what} is not ready, and the first reason is told`, (t) => {
    const { conditions = [], module } = templateStatus({ ...findings, ...change });
    t.same(
      conditions.map(({ status, reason }) => `${status} ${reason}`),
      expected,
    );
    t.equal(module, undefined);
    t.end();
  });
}

test('what is wrong with a template is told with its path', (t) => {
  const { conditions = [], parameters } = templateStatus({ ...findings, parsed: broken });
  t.match(conditions[0]?.message, /^spec\.parameters\[0\]\.minLength: is larger than maxLength/);
  t.equal(parameters, undefined);
  t.end();
});

const modules = fc.oneof(
  fc.constant(found),
  fc.constant<ModuleFinding>({ found: 'not tried' }),
  fc.record({ found: fc.constant('unknown' as const), message: fc.string() }),
  fc.record({
    found: fc.constant('failure' as const),
    reason: fc.constantFrom('unavailable', 'invalid', 'render'),
    message: fc.string({ unit: 'binary', maxLength: 5000 }),
  }),
);
const anyFindings = fc.record({
  parsed: fc.oneof(
    fc.constantFrom(good, broken),
    fc.record({ problems: fc.array(fc.record({ path: fc.string(), reason: fc.string() }), { minLength: 1 }) }),
  ),
  conflict: fc.option(fc.string({ maxLength: 3000 }), { nil: undefined }),
  module: modules,
  generation: fc.nat(),
});

const year = (from: number, to: number) => fc.integer({ min: Date.UTC(from, 0), max: Date.UTC(to, 0) });

test('the time of a transition changes exactly when the status of its condition does', (t) => {
  holds(t, anyFindings, anyFindings, year(2020, 2021), year(2022, 2023), (one, two, then, now) => {
    const { conditions: before = [] } = templateStatus({ ...one, previous: [], now: then });
    const { conditions: after = [] } = templateStatus({ ...two, previous: before, now });
    return after.every((condition, i) => {
      const was = before[i];
      const isKept = condition.lastTransitionTime === was?.lastTransitionTime;
      return condition.type === was?.type && isKept === (condition.status === was.status);
    });
  });
});

test('the same findings give the same status again, whenever they are made', (t) => {
  holds(t, anyFindings, year(2020, 2021), year(2022, 2023), year(2022, 2023), (one, then, now) => {
    const first = templateStatus({ ...one, previous: [], now: then });
    const second = templateStatus({ ...one, previous: first.conditions ?? [], now });
    return sameStatus(first, second) && JSON.stringify(first) === JSON.stringify(second);
  });
});

test('Ready is true exactly when both others are, and the API server takes every status', (t) => {
  holds(t, anyFindings, year(2020, 2021), year(2020, 2021), year(2020, 2021), (one, now) => {
    const status = templateStatus({ ...one, previous: [], now });
    const [accepted, resolved, ready] = status.conditions ?? [];
    const both = accepted?.status === 'True' && resolved?.status === 'True';
    const short = (status.conditions ?? []).every(({ message }) => Buffer.byteLength(message) <= 1024);
    return Value.Check(ClaimTemplateStatus, status) && short && (ready?.status === 'True') === both;
  });
});

test('a status that differs in one thing that is ours is not the same; what others wrote does not count', (t) => {
  const status = templateStatus(findings);
  const [accepted, ...others] = status.conditions ?? [];
  const foreign = accepted && { ...accepted, type: 'Other' };
  t.ok(
    sameStatus(status, {
      ...status,
      conditions: [...others, ...(accepted ? [accepted] : []), ...(foreign ? [foreign] : [])],
    }),
  );
  const changes: ClaimTemplateStatus[] = [
    { ...status, parameters: 2 },
    { ...status, module: { digest: 'sha256:b' } },
    { ...status, observedGeneration: 4 },
    { ...status, conditions: others },
    ...['status', 'reason', 'message', 'lastTransitionTime', 'observedGeneration']
      .map((field) => ({
        ...status,
        conditions: [
          { ...accepted, ...others[0], type: 'Accepted', [field]: field === 'status' ? 'False' : 5 },
          ...others,
        ],
      }))
      .filter((one) => Value.Check(ClaimTemplateStatus, one)),
  ];
  for (const change of changes) t.notOk(sameStatus(status, change), JSON.stringify(change));
  t.end();
});

function holds<A, B, C, D>(
  t: Test,
  a: fc.Arbitrary<A>,
  b: fc.Arbitrary<B>,
  c: fc.Arbitrary<C>,
  d: fc.Arbitrary<D>,
  law: (a: A, b: B, c: C, d: D) => boolean,
): void {
  fc.assert(fc.property(a, b, c, d, law), { numRuns: 500 });
  t.pass('it holds');
  t.end();
}
