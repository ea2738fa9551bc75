import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { apply, kubectl } from './run.ts';
import { applied, condition, template } from './templates.ts';
import { wait } from './wait.ts';

const of = ['--namespace', namespace];

test('kubectl shows that a template can be ordered, and what its tag stands for', async (t) => {
  await installed(t);
  const name = 'e2e-good';
  await applied(t, name);
  await wait('the template is ready', async () => (await condition(name, 'Ready')) === 'True');
  t.match(
    await kubectl(...of, 'get', 'ct', name, '--no-headers', '--output=wide'),
    /0\.1\.0\s+True\s+\S+\s+sha256:[0-9a-f]{64}/,
  );
  t.equal(await condition(name, 'Accepted'), 'True');
  t.equal(await condition(name, 'ModuleResolved'), 'True');
  await wait('the event is shown', async () => /Normal\s+Ready/.test(await kubectl(...of, 'describe', 'ct', name)));
});

test('kubectl shows what is wrong with a template, and when it was mended', async (t) => {
  await installed(t);
  const name = 'e2e-mended';
  const withoutSize = template(name, (spec) => {
    spec.parameters = [{ name: 'colour', title: 'Colour', type: 'string' }];
  });
  await applied(t, name, withoutSize);
  await wait('the template is not ready', async () => (await condition(name, 'Ready')) === 'False');
  t.equal(await condition(name, 'Accepted'), 'True');
  const isWarned = async () =>
    /Warning\s+ModuleInvalid.*no parameter templateName/.test(await kubectl(...of, 'describe', 'ct', name));
  await wait('a warning is shown', isWarned);
  await applied(t, name);
  await wait('the template is ready', async () => (await condition(name, 'Ready')) === 'True');
});

test('kubectl apply refuses a template that can never be served, and names the rule', async (t) => {
  await installed(t);
  const broken = template('e2e-broken', (spec) => {
    spec.parameters = [{ name: 'storage', title: 'Size', type: 'string', pattern: '(' }];
  });
  await t.rejects(apply(broken), /spec\.parameters\[0\].*pattern must be an RE2 regular expression/s);
});
