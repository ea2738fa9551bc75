import type { FastifyInstance } from 'fastify';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import { startApp } from '../app.ts';
import { templateYaml } from '../catalog/templates.ts';

const now = Date.UTC(2026, 10, 21, 10, 30, 15, 250);

const order = (app: FastifyInstance, template: string, payload: unknown) =>
  app.inject({
    method: 'POST',
    url: `/api/v1/claim-templates/${template}/order`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });

test('an order carries both shapes of the specification at once', async (t) => {
  const app = await startApp(t, {}, { clock: () => now });
  const response = await order(app, 'volumeclaim', { parameters: { templateName: 'my-data', storage: '5Gi' } });
  t.equal(response.statusCode, 200);
  const body = response.json();
  t.match(body, {
    apiVersion: 'frontdesk.dev/v1alpha1',
    kind: 'OrderResponse',
    metadata: {
      name: `volumeclaim-order-${now}`,
      timestamp: '2026-11-21T10:30:15.250Z',
      orderId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      template: 'volumeclaim',
      createdAt: '2026-11-21T10:30:15.250Z',
      digest: /^sha256:[0-9a-f]{64}$/,
    },
    status: 'success',
    parameters: { templateName: 'my-data', namespace: 'default', storage: '5Gi', storageClassName: 'standard' },
  });
  t.equal(body.rendered, body.output);
  t.match(parse(body.rendered), {
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'my-data', namespace: 'default' },
    spec: { storageClassName: 'standard', resources: { requests: { storage: '5Gi' } } },
  });
});

test('parameters that are left out, empty or null take their defaults', async (t) => {
  const app = await startApp(t);
  const expected = (await order(app, 'volumeclaim', {})).json();
  for (const payload of [{ parameters: {} }, { parameters: { storage: null } }, { dryRun: false }]) {
    const response = await order(app, 'volumeclaim', payload);
    t.equal(response.statusCode, 200);
    t.equal(response.json().rendered, expected.rendered);
  }
});

test('a dry run validates only, and reports so in place of the claim', async (t) => {
  const app = await startApp(t, { MODULES_DIR: t.testdir({ data: {} }), DATA_DIR: `${t.testdirName}/data` });
  const response = await order(app, 'volumeclaim', { dryRun: true });
  t.equal(response.statusCode, 200, 'no module is needed');
  const { rendered, output, parameters, metadata } = response.json();
  t.match(rendered, /Parameters validated.*Requirements met.*Ready to render/s);
  t.equal(output, rendered);
  t.equal(parameters.storage, '20Gi');
  t.notOk(metadata.digest);
  t.equal((await order(app, 'volumeclaim', { dryRun: true, parameters: { storage: 'lots' } })).statusCode, 422);
});

test('all failures of one order are told in one 422', async (t) => {
  const app = await startApp(t);
  const parameters = { storage: '5', namespace: '-', storageClassName: 'gold', templateName: 5, colour: 'red' };
  const response = await order(app, 'volumeclaim', { parameters });
  t.equal(response.statusCode, 422);
  const { status, error } = response.json();
  t.equal(status, 'error');
  t.equal(error.code, 'VALIDATION_FAILED');
  t.ok(error.message);
  const names = error.details.parameters.map(({ name }: { name: string }) => name);
  t.same(new Set(names), new Set(Object.keys(parameters)));
});

test('a missing required parameter alone is 400, together with an invalid one 422', async (t) => {
  const app = await startApp(t);
  const missing = await order(app, 'postgresql', {});
  t.equal(missing.statusCode, 400);
  t.match(missing.json(), {
    status: 'error',
    error: {
      code: 'MISSING_REQUIRED_PARAMETER',
      details: { parameter: 'username', reason: String, parameters: [{ name: 'username', reason: String }] },
    },
  });
  const both = await order(app, 'postgresql', { parameters: { databaseName: '', username: null } });
  t.equal(both.statusCode, 422);
  const names = both.json().error.details.parameters.map(({ name }: { name: string }) => name);
  t.same(new Set(names), new Set(['databaseName', 'username']));
});

test('a body that is no order is 400 and names the field', async (t) => {
  const app = await startApp(t);
  const cases: [unknown, RegExp | undefined][] = [
    [[], /object/],
    ['text', /object/],
    [null, /object/],
    [{ parameters: [] }, /parameters must be object/],
    [{ dryRun: 'yes' }, /dryRun must be boolean/],
    [{ params: {} }, /params/],
  ];
  for (const [payload, reason] of cases) {
    const response = await order(app, 'volumeclaim', payload);
    t.equal(response.statusCode, 400, JSON.stringify(payload));
    t.equal(response.json().error, 'invalid request body');
    t.match(JSON.stringify(response.json().details), reason);
  }
});

test('a hidden parameter always takes its default, whatever is sent', async (t) => {
  const parameters = [
    { name: 'templateName', type: 'string', default: 'fixed', hidden: true },
    { name: 'secret', type: 'string', hidden: true },
  ];
  const app = await withTemplate(t, parameters);
  const response = await order(app, 'one', { parameters: { templateName: 5, secret: 'x' }, dryRun: true });
  t.equal(response.statusCode, 200);
  t.same(response.json().parameters, { templateName: 'fixed' });
});

test('the random option picks any of the values, and the answer tells which', async (t) => {
  const values = ['a', 'b', 'c'];
  const parameters = [{ name: 'p', type: 'string', enum: values, allowRandom: true, default: 'a' }];
  let next = 0;
  const app = await withTemplate(t, parameters, (length) => {
    t.equal(length, 3);
    return next++ % length;
  });
  const picked: string[] = [];
  for (const _ of values) {
    const response = await order(app, 'one', { parameters: { p: '🎲 Random' }, dryRun: true });
    picked.push(response.json().parameters.p);
  }
  t.same(picked, values);
});

test('the random option is no value of an enum without allowRandom, nor of any other parameter', async (t) => {
  const app = await withTemplate(t, [
    { name: 'p', type: 'string', enum: ['a'], default: 'a' },
    { name: 'q', type: 'integer' },
  ]);
  const response = await order(app, 'one', { parameters: { p: '🎲 Random', q: '🎲 Random' }, dryRun: true });
  t.equal(response.statusCode, 422);
  t.match(response.json().error.details.parameters, [
    { name: 'p', reason: /must be one of a/ },
    { name: 'q', reason: /must be an integer/ },
  ]);
});

test('an order with no end of unknown parameters gets a bounded answer', async (t) => {
  const app = await startApp(t);
  const parameters = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, i]));
  const response = await order(app, 'volumeclaim', { parameters });
  t.equal(response.statusCode, 422);
  const { details, message } = response.json().error;
  t.match(message, /^5000 checks/);
  t.equal(details.parameters.length, 100);
  t.equal(details.more, 4900);
});

test('a template whose module cannot be had is listed, and its order is 503', async (t) => {
  const app = await startApp(t, { MODULES_DIR: t.testdir({ data: {} }), DATA_DIR: `${t.testdirName}/data` });
  const response = await order(app, 'volumeclaim', {});
  t.equal(response.statusCode, 503);
  t.match(response.json(), {
    status: 'error',
    error: { code: 'MODULE_UNAVAILABLE', details: { template: 'volumeclaim' } },
  });
  t.equal((await app.inject('/api/v1/claim-templates/volumeclaim')).statusCode, 200);
});

/** The service with one template, `one`, that has these parameters. */
async function withTemplate(t: Test, parameters: object[], randomIndex?: (length: number) => number) {
  const dir = t.testdir({ templates: { 'one.json': templateYaml('one', { parameters }) }, data: {} });
  const env = { TEMPLATES_DIR: `${dir}/templates`, DATA_DIR: `${dir}/data` };
  return startApp(t, env, randomIndex && { randomIndex });
}
