import { test } from 'tap';
import { startApp, token } from '../app.ts';
import { brokenTemplates, someTemplate } from '../crds/broken-templates.ts';

const url = '/api/v1/claim-templates:validate';
const post = (payload: object, headers = {}) => ({ method: 'POST' as const, url, payload, headers });

test('a template that nothing is wrong with is valid, and not served for that', async (t) => {
  const app = await startApp(t);
  const response = await app.inject(post(someTemplate()));
  t.equal(response.statusCode, 200);
  t.same(response.json(), { valid: true, problems: [] });
  t.equal((await app.inject('/api/v1/claim-templates/some')).statusCode, 404);
});

test('of a broken template every problem is told with its path', async (t) => {
  const app = await startApp(t);
  for (const { what, change } of brokenTemplates) {
    const { valid, problems } = (await app.inject(post(someTemplate(change)))).json();
    t.equal(valid, false, what);
    t.match(problems[0], { path: /^spec\./, reason: /.+/ }, what);
  }
  const parameters = ['a', 'b'].map((name) => ({ name, type: 'boolean', default: 'yes' }));
  const { problems } = (await app.inject(post(someTemplate({ source: 'x', parameters })))).json();
  t.match(problems, [{ path: 'spec.source' }]);
  const both = (await app.inject(post(someTemplate({ parameters })))).json();
  t.match(both.problems, [{ path: 'spec.parameters[0].default' }, { path: 'spec.parameters[1].default' }]);
});

test('a body that is no object, or no JSON, is 400', async (t) => {
  const app = await startApp(t);
  const headers = { 'content-type': 'application/json' };
  for (const payload of ['[]', '"x"', '{']) {
    t.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 400, payload);
  }
});

test('CLAIMS_AUTH=all asks for the token, and the path has no other method', async (t) => {
  const app = await startApp(t, { CLAIMS_AUTH: 'all' });
  t.equal((await app.inject(post(someTemplate()))).statusCode, 401);
  t.equal((await app.inject(post(someTemplate(), { authorization: `Bearer ${token}` }))).statusCode, 200);
  const wrong = await app.inject({ method: 'GET', url });
  t.equal(wrong.statusCode, 405);
  t.match(wrong.headers.allow, /POST/);
});
