import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { parse } from 'yaml';
import { authorized, startApp } from '../app.ts';
import { templateYaml } from './templates.ts';

const list = '/api/v1/claim-templates';

const files = {
  'b.yaml': templateYaml('bucket', { title: 'Object store', tags: ['AWS', 'storage'] }),
  'a.yaml': [
    templateYaml('volume', { title: 'Disk 100%', tags: ['storage'] }),
    templateYaml('cache', { tags: ['aws', 'redis'] }),
  ].join('\n---\n'),
};

test('the list has every template, sorted by name, with metadata and a short spec', async (t) => {
  const app = await startApp(t, {
    TEMPLATES_DIR: t.testdir({ templates: files, data: {} }).concat('/templates'),
    DATA_DIR: `${t.testdirName}/data`,
  });
  const body = (await app.inject(list)).json();
  t.match(body, { apiVersion: 'frontdesk.dev/v1alpha1', kind: 'ClaimTemplateList' });
  t.same(
    body.items.map(({ metadata }: { metadata: object }) => metadata),
    [
      { name: 'bucket', title: 'Object store', tags: ['AWS', 'storage'] },
      { name: 'cache', tags: ['aws', 'redis'] },
      { name: 'volume', title: 'Disk 100%', tags: ['storage'] },
    ],
  );
  t.same(Object.keys(body.items[0].spec), ['type', 'source', 'tag']);
});

test('tag is exact in any letter case and repeatable; search is any part; both must hold', async (t) => {
  const app = await startApp(t, {
    TEMPLATES_DIR: t.testdir({ templates: files, data: {} }).concat('/templates'),
    DATA_DIR: `${t.testdirName}/data`,
  });
  const names = async (query: string) => {
    const { items } = (await app.inject(`${list}?${query}`)).json();
    return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  };
  t.same(await names('tag=storage'), ['bucket', 'volume']);
  t.same(await names('tag=aws'), ['bucket', 'cache']);
  t.same(await names('tag=aws&tag=STORAGE'), ['bucket']);
  t.same(await names('tag=stor'), []);
  t.same(await names('search=STOR'), ['bucket', 'volume']);
  t.same(await names('search=100%25'), ['volume']);
  t.same(await names('search=ache'), ['cache']);
  t.same(await names('search=store&tag=aws'), ['bucket']);
  t.same(await names('search='), ['bucket', 'cache', 'volume']);
  t.same(await names('search=.*'), []);
});

test('an unchanged list or template is 304 for who has its ETag', async (t) => {
  const app = await startApp(t);
  for (const url of [list, `${list}?tag=storage`, `${list}/volumeclaim`]) {
    const first = await app.inject(url);
    const etag = String(first.headers.etag);
    t.match(etag, /^"[\w-]+"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': sent } });
      t.equal(again.statusCode, 304, sent);
      t.equal(again.body, '');
      t.equal(again.headers.etag, etag);
    }
    t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200);
  }
});

test('a template is served with its full parameter schema, hidden ones included', async (t) => {
  const app = await startApp(t);
  for (const name of ['volumeclaim', 'postgresql']) {
    const { spec } = parse(readFileSync(`templates/${name}.yaml`, 'utf8'));
    const served = (await app.inject(`${list}/${name}`)).json();
    t.same(served.spec.parameters, spec.parameters);
    t.match(served.metadata, { name, title: spec.title, description: spec.description, tags: spec.tags });
  }
});

test('an unknown template is 404, in the structured shape or the simple one', async (t) => {
  const structured = await startApp(t);
  const simple = await startApp(t, { ERROR_SHAPE: 'simple' });
  for (const request of [
    { url: `${list}/nope` },
    { method: 'POST' as const, url: `${list}/nope/order`, payload: {} },
  ]) {
    const response = await structured.inject(request);
    t.equal(response.statusCode, 404);
    const error = { code: 'TEMPLATE_NOT_FOUND', message: 'template not found', details: { template: 'nope' } };
    t.same(response.json(), { status: 'error', error });
    const plain = await simple.inject(request);
    t.equal(plain.statusCode, 404);
    t.same(plain.json(), { error: 'template not found' });
  }
});

test('queries out of bounds are 400', async (t) => {
  const app = await startApp(t);
  for (const query of [`search=${'x'.repeat(257)}`, Array.from({ length: 17 }, () => 'tag=a').join('&')]) {
    t.equal((await app.inject(`${list}?${query}`)).statusCode, 400);
  }
});

test('CLAIMS_AUTH asks for the token nowhere, on orders, or everywhere', async (t) => {
  const order = { method: 'POST' as const, url: `${list}/volumeclaim/order`, payload: { dryRun: true } };
  const expected = { none: [200, 200, 200], token: [200, 200, 401], all: [401, 401, 401] };
  for (const [CLAIMS_AUTH, statuses] of Object.entries(expected)) {
    const app = await startApp(t, { CLAIMS_AUTH });
    const requests = [{ url: list }, { url: `${list}/volumeclaim` }, order];
    for (const [i, request] of requests.entries()) {
      t.equal((await app.inject(request)).statusCode, statuses[i], `${CLAIMS_AUTH} ${request.url}`);
      t.equal((await app.inject({ ...request, headers: authorized })).statusCode, 200);
    }
  }
});
