import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { test } from 'tap';
import { parse } from 'yaml';
import { Parameter } from '../../src/catalog/claim-template.ts';
import type { Json, ParameterValues, Renderer } from '../../src/modules/module.ts';
import { createModules } from '../../src/modules/modules.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import { anyText } from './values.ts';

const folder = join(import.meta.dirname, '../../templates');
const modules = createModules({ registry: ociLayout(join(folder, 'modules/oci')) });
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const schema = (file: string) => {
  return ajv.compile<Rendered>(JSON.parse(readFileSync(join(import.meta.dirname, '../schemas', file), 'utf8')));
};
const schemas = {
  volumeclaim: schema('persistentvolumeclaim-v1.json'),
  postgresql: schema('dbinstance-rds-v1alpha1.json'),
};
const namespace = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
/** A name of most Kubernetes objects: RFC 1123. */
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html */
const rdsIdentifier = /^(?!.*--)[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

const labelValue = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** What is looked at in a document that its schema has passed. */
interface Rendered {
  metadata: { name: string; labels: Record<string, string> };
  spec: { dbInstanceIdentifier?: string };
}

type Name = keyof typeof schemas;

function load(name: Name) {
  const { metadata, spec, ...top } = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'));
  const parameters: Parameter[] = spec.parameters;
  return { top, metadata, spec, parameters };
}

const parameter = (name: Name, wanted: string) => load(name).parameters.find((one) => one.name === wanted);

async function renderer(name: Name): Promise<Renderer> {
  const { spec, parameters } = load(name);
  return (await modules.resolve({ source: spec.source, tag: spec.tag })).bind(parameters);
}

/** The defaults, as the order service fills them in, with the given values on top. */
function filled(name: Name, values: ParameterValues = {}): ParameterValues {
  const defaults = load(name).parameters.filter((one) => one.default !== undefined);
  return { ...Object.fromEntries(defaults.map((one) => [one.name, one.default as Json])), ...values };
}

/** Any value that is valid for a parameter. */
function valid({ type, pattern, enum: values, minLength = 0, maxLength = 100 }: Parameter): fc.Arbitrary<Json> {
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(anyText, { maxLength: 5 });
  if (values !== undefined) return fc.constantFrom(...values);
  const text = pattern === undefined ? anyText : fc.stringMatching(new RegExp(pattern));
  return text.filter(({ length }) => length >= minLength && length <= maxLength);
}

/** Any order that is valid: what must have a value has one, the rest may. */
function orders(name: Name): fc.Arbitrary<ParameterValues> {
  const all = load(name).parameters;
  const needed = all.filter((one) => one.required === true && one.default === undefined).map((one) => one.name);
  return fc
    .record(Object.fromEntries(all.map((one) => [one.name, valid(one)])), { requiredKeys: needed })
    .map((values) => filled(name, values));
}

const table: [Name, Partial<Parameter>][] = [
  ['volumeclaim', { name: 'templateName', type: 'string', default: 'demo' }],
  [
    'volumeclaim',
    {
      name: 'namespace',
      type: 'string',
      required: true,
      default: 'default',
      pattern: namespace,
      minLength: 1,
      maxLength: 63,
    },
  ],
  [
    'volumeclaim',
    { name: 'storage', type: 'string', required: true, default: '20Gi', pattern: '^[0-9]+(Gi|Mi|Ti|G|M|T)$' },
  ],
  ['volumeclaim', { name: 'storageClassName', type: 'string', default: 'standard' }],
  ['postgresql', { name: 'instanceClass', type: 'string', required: true, default: 'db.t3.micro' }],
  ['postgresql', { name: 'namespace', type: 'string', required: true, default: 'databases' }],
  ['postgresql', { name: 'databaseName', type: 'string', required: true, default: 'mydb' }],
  ['postgresql', { name: 'username', type: 'string', required: true }],
  ['postgresql', { name: 'storageSize', type: 'string', required: true, default: '20' }],
  ['postgresql', { name: 'backupRetention', type: 'string', default: '7' }],
  ['postgresql', { name: 'enableEncryption', type: 'boolean', default: true }],
  ['postgresql', { name: 'tags', type: 'array', items: { type: 'string' } }],
];

test('the built-in templates have the parameters that are specified, and no others', async (t) => {
  for (const name of ['volumeclaim', 'postgresql'] as const) {
    const wanted = table.filter(([template]) => template === name).map(([, one]) => one);
    t.same(
      load(name).parameters.map((one) => one.name),
      wanted.map((one) => one.name),
      name,
    );
    for (const one of wanted) {
      const found = parameter(name, one.name ?? '');
      t.match(found, one, `${name}.${one.name}`);
      t.equal(found?.required ?? false, one.required ?? false);
      t.equal(found?.default, one.default);
    }
  }
});

test('the storage class is one of three, and may be left to chance', async (t) => {
  const found = parameter('volumeclaim', 'storageClassName');
  t.equal(found?.enum?.length, 3);
  t.ok(found?.enum?.includes('standard'));
  t.equal(found?.allowRandom, true);
});

test('a built-in template is a custom resource as it stands', async (t) => {
  for (const name of ['volumeclaim', 'postgresql'] as const) {
    const { top, metadata, spec } = load(name);
    t.same(top, { apiVersion: 'frontdesk.dev/v1alpha1', kind: 'ClaimTemplate' });
    t.same(metadata, { name }, 'nothing that Kubernetes would drop');
    t.match(spec, { title: String, description: String, tags: [String], type: name, source: /^oci:\/\//, tag: String });
  }
});

test('a parameter of a built-in template has a label, and a default that is valid itself', async (t) => {
  for (const one of [...load('volumeclaim').parameters, ...load('postgresql').parameters]) {
    t.ok(Value.Check(Parameter, one), one.name);
    t.ok(one.title && one.description, one.name);
    if (typeof one.default !== 'string') continue;
    t.ok(RE2JS.compile(one.pattern ?? '').test(one.default), `${one.name}: ${one.default}`);
    t.ok(one.enum?.includes(one.default) ?? true);
  }
});

test('there is nothing in the folder of templates but templates, modules and their guide', async (t) => {
  t.same(readdirSync(folder).sort(), ['README.md', 'modules', 'postgresql.yaml', 'volumeclaim.yaml']);
});

test('a volume claim of defaults', async (t) => {
  t.equal(
    await (await renderer('volumeclaim')).render(filled('volumeclaim')),
    `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: demo
  namespace: default
  labels:
    app.kubernetes.io/name: demo
    app.kubernetes.io/component: storage
    app.kubernetes.io/managed-by: frontdesk
spec:
  accessModes:
    - ReadWriteOnce
  storageClassName: standard
  resources:
    requests:
      storage: 20Gi
`,
  );
});

test('a database with tags', async (t) => {
  const values = filled('postgresql', {
    username: 'dbadmin',
    databaseName: 'My_DB',
    tags: ['team=a', 'x=1=2', 'bare'],
  });
  t.equal(
    await (await renderer('postgresql')).render(values),
    `apiVersion: rds.services.k8s.aws/v1alpha1
kind: DBInstance
metadata:
  name: my-db
  namespace: databases
  labels:
    app.kubernetes.io/name: postgresql
    app.kubernetes.io/instance: my-db
    app.kubernetes.io/component: database
    app.kubernetes.io/managed-by: frontdesk
spec:
  dbInstanceIdentifier: my-db
  dbInstanceClass: db.t3.micro
  engine: postgres
  dbName: My_DB
  masterUsername: dbadmin
  manageMasterUserPassword: true
  allocatedStorage: 20
  backupRetentionPeriod: 7
  storageEncrypted: true
  tags:
    - key: team
      value: a
    - key: x
      value: "1=2"
    - key: bare
      value: ""
`,
  );
});

test('a database without tags has no field for them', async (t) => {
  const text = await (await renderer('postgresql')).render(filled('postgresql', { username: 'dbadmin' }));
  t.notMatch(text, /tags/);
  t.notMatch(text, /[Pp]assword: [^t]/, 'no password in the text');
});

for (const name of ['volumeclaim', 'postgresql'] as const) {
  test(`${name}: every valid order renders to one document that is strictly valid`, async (t) => {
    const { render } = await renderer(name);
    const check = schemas[name];
    await fc.assert(
      fc.asyncProperty(orders(name), async (values) => {
        const document: unknown = parse(await render(values), { version: '1.1' });
        if (!check(document)) throw new Error(ajv.errorsText(check.errors));
        checkNames(document);
      }),
      { numRuns: 300 },
    );
    t.pass();
  });
}

/** What the API servers check beyond the schemas. */
function checkNames({ metadata, spec }: Rendered): void {
  const identifier = spec.dbInstanceIdentifier ?? 'a';
  if (!dnsLabel.test(metadata.name)) throw new Error(`not a name: ${metadata.name}`);
  if (!rdsIdentifier.test(identifier)) throw new Error(`not an identifier: ${identifier}`);
  for (const label of Object.values(metadata.labels)) {
    if (!labelValue.test(label)) throw new Error(`not a label: ${label}`);
  }
}

test('the schemas are strict', async (t) => {
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a' }, spec: {} };
  t.ok(schemas.volumeclaim(claim));
  t.notOk(schemas.volumeclaim({ ...claim, spec: { storageClasName: 'typo' } }));
  t.notOk(schemas.volumeclaim({ ...claim, metadata: { name: 5 } }));
});
