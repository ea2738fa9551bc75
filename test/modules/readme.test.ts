import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { parse } from 'yaml';
import { Parameter } from '../../src/catalog/claim-template.ts';
import type { ParameterValues } from '../../src/modules/module.ts';
import type { Files } from '../../src/modules/unpack.ts';
import { compileResources, compileText, resource } from './cel/cel-module.ts';
import { type EngineName, openModule, programOf } from './three-engines.ts';

const page = await readFile(join(import.meta.dirname, '../../templates/README.md'), 'utf8');

/** An example of the page: blocks of code that follow each other, by what they are. */
type Example = Map<string, string>;
const starts = new Set(['module.yaml', 'templates/claim.yaml', 'main.k']);

function examples(): Example[] {
  const found: Example[] = [];
  for (const [, kind = '', text = ''] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)) {
    if (starts.has(kind)) found.push(new Map());
    found.at(-1)?.set(kind, text);
  }
  return found;
}

function engineOf(example: Example): { engine: EngineName; files: Files } {
  const files = (entries: Record<string, string>) =>
    new Map(Object.entries(entries).map(([path, text]) => [path, Buffer.from(text)]));
  const chart = example.get('templates/claim.yaml');
  if (chart !== undefined) {
    const about = 'apiVersion: v2\nname: demo\nversion: 1.0.0\n';
    return { engine: 'helm', files: files({ 'demo/Chart.yaml': about, 'demo/templates/claim.yaml': chart }) };
  }
  const main = example.get('main.k');
  if (main === undefined) return { engine: 'cel', files: files({ 'module.yaml': example.get('module.yaml') ?? '' }) };
  return { engine: 'kcl', files: files({ 'kcl.mod': '[package]\nname = "demo"\n', 'main.k': main }) };
}

test('the page has an example for each engine', async (t) => {
  t.same(
    examples().map((one) => engineOf(one).engine),
    ['cel', 'helm', 'kcl'],
  );
});

for (const example of examples()) {
  const { engine, files } = engineOf(example);
  const found = await programOf(engine);
  const skip = 'missing' in found && found.missing;
  test(`the example of ${engine} makes the claim that the page shows`, { skip }, async (t) => {
    const module = await openModule(t, engine, { files, ...('program' in found && { program: found.program }) });
    const parameters = Value.Parse(Type.Array(Parameter), parse(example.get('parameters') ?? '[]'));
    const values: ParameterValues = parse(example.get('order') ?? '');
    t.equal(await module.bind(parameters).render(values), example.get('claim'));
  });
}

test('expressions in the table of optionals do what it says', async (t) => {
  const [, table = ''] = /^\| expression \| without value it \|\n(.*?)\n\n/ms.exec(page) ?? [];
  const parameters: Parameter[] = [
    { name: 'x', type: 'string' },
    { name: 'object', type: 'object', required: true },
    { name: 'list', type: 'array', required: true },
  ];
  let count = 0;
  for (const row of table.split('\n').slice(1)) {
    const [, expressions = '', result = ''] = row.split(' | ').length === 2 ? ['', ...row.split(' | ')] : [];
    const results = [...result.matchAll(/is `(.*?)`/g)].map(([, value]) => value);
    for (const [index, [, expression = '']] of [...expressions.matchAll(/`(\$\{.*?\})`/g)].entries()) {
      const claim = await compileResources([resource({ value: expression })])
        .bind(parameters)
        .render({ list: [], object: {} });
      const expected = results[index] ?? results[0];
      const { data } = parse(claim);
      t.same(data, expected === undefined ? {} : { value: parse(expected) }, expression);
      count += 1;
    }
  }
  t.equal(count, 9);
});

test('the message that the page shows is that of the mistake', async (t) => {
  const text = examples()[0]?.get('module.yaml') ?? '';
  const parameters = Value.Parse(Type.Array(Parameter), parse(examples()[0]?.get('parameters') ?? ''));
  const [, message = ''] = /^```text\n(module\.yaml line.*)\n```$/m.exec(page) ?? [];
  const broken = text.replace('${parameters.replicas}', '${parameters.replicas + "1"}');
  t.throws(() => compileText(broken).bind(parameters), { message });
});
