import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { ask } from './desk.ts';
import { installed } from './installed.ts';
import { apply } from './run.ts';
import { applied } from './templates.ts';
import { wait } from './wait.ts';

const List = Type.Object({ items: Type.Array(Type.Object({ metadata: Type.Object({ name: Type.String() }) })) });
const Order = Type.Object({ rendered: Type.String() });

test('a ClaimTemplate that is applied is listed and ordered, and the cluster takes the claim', async (t) => {
  await installed(t);
  const name = `e2e-volume-${Date.now()}`;
  t.equal((await ask(`/api/v1/claim-templates/${name}`)).status, 404);
  await applied(t, name);
  // The change of a template reaches each pod by itself.
  const isListed = async () => {
    const { items } = Value.Parse(List, (await ask('/api/v1/claim-templates')).body);
    return items.some(({ metadata }) => metadata.name === name);
  };
  await wait('every pod lists the template', async () =>
    (await Promise.all(Array.from({ length: 10 }, isListed))).every(Boolean),
  );
  const parameters = { templateName: 'e2e-data', namespace: 'default', storage: '1Gi' };
  const order = await ask(`/api/v1/claim-templates/${name}/order`, { parameters });
  t.equal(order.status, 200);
  const { rendered } = Value.Parse(Order, order.body);
  t.match(rendered, /^kind: PersistentVolumeClaim$/m);
  t.equal(await apply(rendered, '--dry-run=server'), 'persistentvolumeclaim/e2e-data created (server dry run)');
  const refused = await ask(`/api/v1/claim-templates/${name}/order`, { parameters: { storage: 'lots' } });
  t.equal(refused.status, 422);
});

test('built-in templates are there without a ClaimTemplate', async (t) => {
  await installed(t);
  t.equal((await ask('/api/v1/claim-templates/volumeclaim')).status, 200);
  t.equal((await ask('/api/v1/claim-templates/postgresql')).status, 200);
});
