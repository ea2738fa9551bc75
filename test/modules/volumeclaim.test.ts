import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Test, test } from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { parseTemplate } from '../../src/catalog/parse-template.ts';
import type { ParameterValues } from '../../src/modules/module.ts';
import { type EngineName, openModule, programOf, volumeClaim } from './three-engines.ts';
import { hostileStrings } from './values.ts';

const parsed = parseTemplate(
  parse(await readFile(join(import.meta.dirname, '../../templates/volumeclaim.yaml'), 'utf8')),
);
if ('problems' in parsed) throw new Error('the built-in template is broken');
const { parameters } = parsed.template.spec;

async function claimOf(t: Test, engine: EngineName, program: string | undefined) {
  const module = await openModule(t, engine, { files: await volumeClaim(engine), program });
  return module.bind(parameters);
}

/** The claim as it must be, made without engine and YAML. */
function expected({ templateName, namespace, storage, storageClassName }: ParameterValues) {
  const labels = {
    'app.kubernetes.io/name': templateName,
    'app.kubernetes.io/component': 'storage',
    'app.kubernetes.io/managed-by': 'frontdesk',
  };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: templateName, namespace, labels },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
  };
}

/** What would be something else in a shell, a command line, or a template. */
const hostile = [
  ...hostileStrings,
  ...[
    '--set',
    '--set=a=b',
    '-f',
    '-',
    '-D',
    'a=b',
    'a=b,c=d',
    ',',
    '=',
    '\\,',
    '$(id)',
    '`id`',
    '; id',
    '| id',
    '&& id',
  ],
  ...['{{ .Values }}', '{{ fail "x" }}', '{{', '}}', '{{- "" -}}', '${option("storage")}', '${', '%s', '%', '"${1}"'],
  ...['name=1', 'null', '{"a": 1}', '[1]', '"', '"a" = 1', '@values', 'oci://a/b', '/etc/passwd', '../..', '*.k'],
];
/** Each of the strings in one of the parameters. */
const orders = Array.from({ length: Math.ceil(hostile.length / 4) }, (_, index): ParameterValues => {
  const [templateName = 'a', namespace = 'b', storage = 'c', storageClassName = 'd'] = hostile.slice(4 * index);
  return { templateName, namespace, storage, storageClassName };
});

for (const engine of ['cel', 'helm', 'kcl'] as const) {
  const found = await programOf(engine);
  const skip = 'missing' in found && found.missing;
  const program = 'missing' in found ? undefined : found.program;

  test(`the volume claim of ${engine} is byte for byte that of cel`, { skip }, async (t) => {
    const values = { templateName: 'my-data', namespace: 'shop', storage: '5Gi', storageClassName: 'fast' };
    const [reference, claim] = [await claimOf(t, 'cel', undefined), await claimOf(t, engine, program)];
    t.equal(await claim.render(values), await reference.render(values));
  });

  test(`whatever strings are ordered, a claim of ${engine} has them as they are and nothing else`, {
    skip,
  }, async (t) => {
    const claim = await claimOf(t, engine, program);
    const texts: string[] = [];
    for (const values of orders) texts.push(await claim.render(values));
    for (const version of ['1.1', '1.2'] as const) {
      const documents = texts.map((text) => parseAllDocuments(text, { version }).map((one) => one.toJS()));
      const isWrong = orders.findIndex((values, index) => !isDeepStrictEqual(documents[index], [expected(values)]));
      t.same(documents[isWrong], isWrong < 0 ? undefined : [expected(orders[isWrong] ?? {})], version);
    }
  });
}
