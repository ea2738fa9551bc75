import { test } from 'tap';
import { MAX_MODULE_FILE_BYTES, MAX_RESOURCES } from '../../../src/modules/cel/module-file.ts';
import { compileResources, compileText, resource } from './cel-module.ts';

const failed = (message: RegExp) => ({ name: 'ModuleError', reason: 'invalid', message });
const head = 'apiVersion: frontdesk.dev/v1alpha1\nkind: Module\nmetadata: {name: demo}\n';
const spec = 'spec: {resources: [{id: a, template: {apiVersion: v1, kind: X, metadata: {}}}]}\n';

test('a module.yaml with other fields, or without needed ones, is refused with the field', async (t) => {
  t.doesNotThrow(() => compileText(head + spec));
  const cases: [string, RegExp][] = [
    [`${head}${spec}extra: 1\n`, /\/extra/],
    [head, /\/spec/],
    [`${head.replace('Module', 'ClaimTemplate')}${spec}`, /\/kind/],
    [`${head.replace('v1alpha1', 'v2')}${spec}`, /\/apiVersion/],
    [`${head.replace('demo', 'Demo')}${spec}`, /\/metadata\/name/],
    [`${head.replace('name: demo', 'name: demo, version: 1.0')}${spec}`, /\/metadata\/version/],
    [`${head}spec: {resources: []}`, /\/spec\/resources/],
    [`${head}${spec.replace('id: a', 'id: A-b')}`, /\/spec\/resources\/0\/id/],
    [`${head}${spec.replace('id: a,', 'id: a, readyWhen: [],')}`, /\/spec\/resources\/0\/readyWhen/],
    [`${head}${spec.replace('kind: X, ', '')}`, /\/spec\/resources\/0\/template\/kind/],
    [`${head}${spec.replace('metadata: {}', 'metadata: []')}`, /\/spec\/resources\/0\/template\/metadata/],
    ['', /is not valid/],
    ['just text', /is not valid/],
    ['- a', /is not valid/],
  ];
  for (const [text, message] of cases) t.throws(() => compileText(text), failed(message), text);
});

test('two resources of one id are refused', async (t) => {
  t.throws(() => compileResources([resource(1), resource(2)]), failed(/has the resource config twice/));
});

test('YAML that is broken, ambiguous or more than data is refused', async (t) => {
  const cases: [string, RegExp][] = [
    ['a: [', /module.yaml .*line 1/s],
    [`${head}${spec}---\n${head}${spec}`, /document/],
    [`${head}kind: Module\n${spec}`, /unique/],
    [`${head}${spec.replace('v1,', '!!js/function v1,')}`, /tag/i],
    [`${head}${spec.replace('metadata: {}', 'metadata: {a: .nan}')}`, /not a value that every reader/],
    [`${head}${spec.replace('metadata: {}', 'metadata: {a: 12345678901234567890}')}`, /not a value that every reader/],
  ];
  for (const [text, message] of cases) t.throws(() => compileText(text), failed(message), text);
  t.throws(() => compileText('\0'), failed(/module.yaml/));
});

test('bytes that are no UTF-8 are refused', async (t) => {
  const { compileCelModule } = await import('../../../src/modules/cel/cel-module.ts');
  const files = new Map([['module.yaml', Buffer.from([0x61, 0xff])]]);
  t.throws(() => compileCelModule({ digest: 'sha256:', engine: 'cel', files }), failed(/module.yaml/));
});

test('aliases are refused, so that a small file cannot grow', async (t) => {
  const levels = Array.from({ length: 30 }, (_, index) => {
    return `l${index}: &l${index} [${index === 0 ? 'x' : `*l${index - 1}, *l${index - 1}`}]`;
  });
  const bomb = `${head}${spec.replace('metadata: {}', `metadata: {${levels.join(', ')}}`)}`;
  t.throws(() => compileText(bomb), failed(/alias/i));
  t.throws(() => compileText(`${head}${spec.replace('metadata: {}', 'metadata: {a: &a 1, b: *a}')}`), failed(/alias/i));
});

test('a file that is too large or too deep is refused', async (t) => {
  t.throws(() => compileText(`${head}${spec}#${'x'.repeat(MAX_MODULE_FILE_BYTES)}`), failed(/more than 262144 bytes/));
  const deep = (depth: number) =>
    spec.replace('metadata: {}', `metadata: {a: ${'['.repeat(depth)}${']'.repeat(depth)}}`);
  t.throws(() => compileText(head + deep(100)), failed(/nested too deep/));
  t.throws(() => compileText(head + deep(20_000)), failed(/module.yaml/));
});

test('more resources or expressions than allowed are refused', async (t) => {
  const many = Array.from({ length: MAX_RESOURCES + 1 }, (_, index) => resource(1, { id: `r${index}` }));
  t.throws(() => compileResources(many), failed(/\/spec\/resources/));
  t.throws(() => compileResources([resource(Array(513).fill('${1}'))]), failed(/beyond the 512 expressions/));
});
