import { test } from 'tap';
import { CHILD_LIMITS, openWorkshop, SLOT_LIMITS } from '../../../src/modules/children/child-engine.ts';
import type { ParameterValues } from '../../../src/modules/module.ts';
import { openModule } from '../three-engines.ts';
import { chartFiles, configMap } from './chart-files.ts';
import { helmCommand } from './helm-command.ts';

const found = await helmCommand();
const skip = 'missing' in found && found.missing;
const program = 'missing' in found ? undefined : found.program;

async function renderer(t: Parameters<typeof openModule>[0], templates: Record<string, string>, options: object = {}) {
  const module = await openModule(t, 'helm', { files: chartFiles(templates), program, ...options });
  return module.bind([]);
}
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: demo\n';

test('parameters are values with their types; objects nest', { skip }, async (t) => {
  const lines = `int: {{ .Values.int }}
big: {{ .Values.big }}
bool: {{ if .Values.bool }}1{{ else }}0{{ end }}
nested: {{ .Values.object.a.b | quote }}
list: {{ range .Values.list }}{{ . }}{{ end }}
absent: {{ .Values.absent | default "none" }}
"yes": {{ .Values.y | quote }}`;
  const values: ParameterValues = {
    int: 3,
    big: 1_000_000,
    bool: false,
    object: { a: { b: 'c' } },
    list: ['d', 'e'],
    y: 'n',
  };
  t.equal(
    await (await renderer(t, { 'a.yaml': configMap(lines) })).render(values),
    `${head}int: 3\nbig: 1000000\nbool: 0\nnested: c\nlist: de\nabsent: none\n"yes": "n"\n`,
  );
});

test('documents are in the order of helm, which installs some kinds first; empty ones are left out', {
  skip,
}, async (t) => {
  const of = (kind: string) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: demo}\n`;
  const claim = await renderer(t, {
    'a.yaml': `${of('Service')}---\n# nothing\n---\n${of('Namespace')}`,
    'b.yaml': '{{ if .Values.more }}\napiVersion: v1\nkind: Pod\n{{ end }}',
    'NOTES.txt': 'Thank you',
  });
  t.same((await claim.render({})).match(/kind: \w+/g), ['kind: Namespace', 'kind: Service']);
});

test('the release has the name of the chart, and the namespace of the order where that is one', { skip }, async (t) => {
  const lines = 'release: {{ .Release.Name }}\nnamespace: {{ .Release.Namespace | quote }}';
  const claim = await renderer(t, { 'a.yaml': configMap(lines) });
  const cases: [namespace: string, found: string][] = [
    ['shop', 'shop'],
    ['--set=a=b', 'default'],
    ['a'.repeat(64), 'default'],
    ['UPPER', 'default'],
  ];
  for (const [namespace, expected] of cases) {
    t.equal(await claim.render({ namespace }), `${head}release: demo\nnamespace: ${expected}\n`);
  }
});

test('same order, same bytes', { skip }, async (t) => {
  const claim = await renderer(t, { 'a.yaml': configMap('all: {{ .Values | toJson }}') });
  const texts = await Promise.all(Array.from({ length: 8 }, () => claim.render({ b: 1, a: ['x'], c: { e: 1, d: 2 } })));
  t.equal(new Set(texts).size, 1);
});

test('a chart that fails is told of with file and line, without where it lies', { skip }, async (t) => {
  const lines = 'a: {{ required "a size is needed" .Values.size }}';
  const claim = await renderer(t, { 'a.yaml': configMap(lines) });
  await t.rejects(claim.render({}), {
    reason: 'render',
    message: /^helm: .*demo\/templates\/a\.yaml:4:6.*a size is needed/,
  });
  const error = await claim.render({}).catch((reason: Error) => reason);
  t.notMatch(error, { message: /frontdesk-modules/ });
  t.match(await claim.render({ size: 1 }), /^a: 1$/m, 'the next order is not disturbed');
});

test('what a chart prints has to be Kubernetes objects', { skip }, async (t) => {
  const claim = await renderer(t, { 'a.yaml': 'kind: A' });
  await t.rejects(claim.render({}), { reason: 'render', message: 'helm: document 1 has no apiVersion' });
});

test('a chart cannot reach the cluster, the environment, or files outside of it', { skip }, async (t) => {
  process.env.FRONTDESK_TEST_SECRET = 'secret';
  t.teardown(() => delete process.env.FRONTDESK_TEST_SECRET);
  const lines = `nodes: {{ lookup "v1" "Node" "" "" | toJson }}
file: {{ .Files.Get "../../../../../../etc/passwd" | quote }}
host: {{ getHostByName "localhost" | quote }}`;
  const claim = await renderer(t, { 'a.yaml': configMap(lines) });
  t.equal(await claim.render({}), `${head}nodes: {}\nfile: ""\nhost: ""\n`);
  const env = await renderer(t, { 'a.yaml': configMap('env: {{ env "FRONTDESK_TEST_SECRET" }}') });
  await t.rejects(env.render({}), { reason: 'render', message: /function "env" not defined/ });
});

test('a schema of the chart, which could read files, is not used', { skip }, async (t) => {
  const files = new Map([
    ...chartFiles({ 'a.yaml': configMap('a: 1') }),
    ['demo/values.schema.json', Buffer.from('{"$ref": "file:///etc/passwd"}')] as const,
  ]);
  const claim = (await openModule(t, 'helm', { files, program })).bind([]);
  t.equal(await claim.render({}), `${head}a: 1\n`);
});

const endless = configMap('{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}a: 1');

/** Charts that take too much, and what they are told. */
const greedy: [what: string, template: string, limits: object, message: RegExp][] = [
  ['time', endless, { timeMs: 5000 }, /^helm: took longer than 5000 ms$/],
  ['output', configMap('a: "{{ repeat 3000000 "x" }}"'), {}, /^helm: printed more than 2097152 bytes$/],
  ['memory', configMap('a: {{ len (repeat 2000000000 "x") }}'), {}, /^helm: took more than 536870912 bytes of memory$/],
];
for (const [what, template, limits, message] of greedy) {
  test(`a chart that takes too much ${what} fails, and no other`, { skip }, async (t) => {
    const workshop = openWorkshop({ ...CHILD_LIMITS, ...limits });
    const [bad, good] = [
      await renderer(t, { 'a.yaml': template }, { workshop }),
      await renderer(t, { 'a.yaml': configMap('a: 1') }, { workshop }),
    ];
    const failure = t.rejects(bad.render({}), { reason: 'render', message });
    t.match(await good.render({}), /^a: 1$/m);
    await failure;
  });
}

test('more orders than can wait are refused at once, and the service is said to be busy', { skip }, async (t) => {
  const workshop = openWorkshop(CHILD_LIMITS, { ...SLOT_LIMITS, size: 1, waiting: 1 });
  const claim = await renderer(t, { 'a.yaml': configMap('a: 1') }, { workshop });
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => claim.render({})));
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
  for (const result of results) {
    if (result.status === 'rejected') t.match(result.reason, { reason: 'unavailable', message: /^helm is busy: / });
  }
});

test('values beyond their limit are refused', { skip }, async (t) => {
  const claim = await renderer(t, { 'a.yaml': configMap('a: 1') });
  const error = { reason: 'render', message: 'the parameters have more than 2097152 characters' };
  await t.rejects(claim.render({ a: 'x'.repeat(2_097_152) }), error);
});

test('a chart that is none is refused when it is opened', async (t) => {
  const open = (files: Map<string, Buffer>) => openModule(t, 'helm', { files, program });
  const text = (content: string) => Buffer.from(content);
  const cases: [files: [string, string][], message: RegExp][] = [
    [[['demo/values.yaml', '']], /one folder with a Chart.yaml/],
    [[['Chart.yaml', 'name: demo']], /one folder with a Chart.yaml/],
    [
      [
        ['a/Chart.yaml', 'name: a'],
        ['b/Chart.yaml', 'name: b'],
      ],
      /one folder with a Chart.yaml/,
    ],
    [[['a/Chart.yaml', 'name: [']], /Chart.yaml is not YAML/],
    [[['a/Chart.yaml', 'name: --debug']], /Chart.yaml is not valid: \/name/],
    [[['a/Chart.yaml', 'name: a\ntype: library']], /Chart.yaml is not valid: \/type/],
    [[['a/Chart.yaml', '#'.repeat(70_000)]], /Chart.yaml has more than/],
  ];
  for (const [files, message] of cases) {
    await t.rejects(open(new Map(files.map(([path, content]) => [path, text(content)]))), {
      reason: 'invalid',
      message,
    });
  }
});

test('without helm a chart cannot be opened', async (t) => {
  const open = openModule(t, 'helm', { files: chartFiles({}), helm: 'helm', searchPath: t.testdir() });
  await t.rejects(open, { reason: 'engine', message: 'the module needs the program helm, which is not installed' });
});
