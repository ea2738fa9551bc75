import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { ask, authorization, secret } from './desk.ts';
import { installed } from './installed.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const Systems = Type.Object({ systems: Type.Array(Type.Object({ system: Type.String(), count: Type.Integer() })) });

/** What runs in the pod: sends a push, signed with `KEY`, and prints the answer. */
const sender = `
  import { createHmac } from 'node:crypto';
  const { URL, KEY, REPOSITORY } = process.env;
  const body = JSON.stringify({ ref: 'refs/heads/main', repository: { full_name: REPOSITORY }, head_commit: { message: 'Ship it' } });
  const signature = createHmac('sha256', KEY).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=' + signature };
  const answer = await fetch(URL, { method: 'POST', headers, body });
  console.log(JSON.stringify({ status: answer.status, body: await answer.json() }));
`;

test('a pod of another namespace sends a signed webhook, and analytics count it', async (t) => {
  await installed(t);
  const repository = `acme/${Date.now()}`;
  const pods = await sandbox(t);
  t.match(await send(pods, await secret('codehost-webhook-secret'), repository), {
    status: 200,
    body: { status: 'success', message: 'Event push enqueued', streamId: 'messages' },
  });
  t.match(await send(pods, 'another secret', repository), { status: 401, body: { status: 'error' } });
  t.equal(await countOf(repository), 1);
});

test('while the secret of webhooks is rotated, the one before is taken as well', async (t) => {
  const values = { webhookSecret: 'the-next-one', previousWebhookSecret: 'the-one-before' };
  await installed(
    t,
    ...Object.entries(values).flatMap(([name, value]) => ['--set', `codehost.${name}.value=${value}`]),
  );
  const repository = `acme/${Date.now()}`;
  const pods = await sandbox(t);
  t.match(await send(pods, values.webhookSecret, repository), { status: 200 });
  t.match(await send(pods, values.previousWebhookSecret, repository), { status: 200 });
  t.match(await send(pods, 'a secret of long ago', repository), { status: 401 });
  t.equal(await countOf(repository), 2);
});

async function send(pods: Sandbox, key: string, repository: string): Promise<unknown> {
  const URL = `http://frontdesk.${namespace}/pitch/codehost`;
  return JSON.parse(await pods.run(sender, { URL, KEY: key, REPOSITORY: repository }));
}

/** Messages of the last hour about this repository, which analytics know as a system. */
async function countOf(repository: string): Promise<number | undefined> {
  const { body } = await ask('/analytics/systems?window=1h', undefined, await authorization());
  return Value.Parse(Systems, body).systems.find(({ system }) => system === repository)?.count;
}
