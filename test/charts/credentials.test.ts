import { test } from 'tap';
import { credentialSources } from './credential-sources.ts';
import { type Rendered, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;

/** What a Secret of the release holds, decoded. */
function secrets(release: Rendered): Record<string, string> {
  const data = release.find('Secret')?.data ?? {};
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

test('credentials that are not given are made, each another', { skip }, async (t) => {
  const release = await render();
  const made = secrets(release);
  t.same(Object.keys(made).sort(), ['auth-token', 'codehost-webhook-secret', 'redis-password']);
  for (const value of Object.values(made)) t.match(value, /^[A-Za-z0-9]{40}$/);
  t.equal(new Set(Object.values(made)).size, 3);
  t.same(credentialSources(release), {
    AUTH_TOKEN: 'frontdesk/auth-token',
    CODEHOST_WEBHOOK_SECRET: 'frontdesk/codehost-webhook-secret',
    STREAM_PASSWORD: 'frontdesk/redis-password',
  });
});

test('credentials that are given are taken as they are', { skip }, async (t) => {
  const release = await render({
    auth: { token: { value: 'tök"en: $(x)'.replace('ö', 'o').replaceAll(' ', '_') } },
    codehost: { webhookSecret: { value: 'new' }, previousWebhookSecret: { value: 'old' } },
    redis: { password: { value: 'p' } },
  });
  t.same(secrets(release), {
    'auth-token': 'tok"en:_$(x)',
    'codehost-webhook-secret': 'new',
    'codehost-webhook-secret-previous': 'old',
    'redis-password': 'p',
  });
  t.equal(credentialSources(release).CODEHOST_WEBHOOK_SECRET_PREVIOUS, 'frontdesk/codehost-webhook-secret-previous');
});

const mine = (key: string) => ({ existingSecret: 'mine', key });
test('each credential can be in a Secret of yours, and the rest is made', { skip }, async (t) => {
  const release = await render({ auth: { token: mine('token') } });
  t.equal(credentialSources(release).AUTH_TOKEN, 'mine/token');
  t.same(Object.keys(secrets(release)).sort(), ['codehost-webhook-secret', 'redis-password']);
  const env = release.at('Pod', 'spec.containers.0.env');
  t.match(env, [{}, {}, { name: 'AUTH_TOKEN', valueFrom: { secretKeyRef: { name: 'mine', key: 'token' } } }]);
});

test('where all credentials are in Secrets of yours the release has none', { skip }, async (t) => {
  const release = await render({
    auth: { token: mine('token') },
    codehost: { webhookSecret: mine('hook'), previousWebhookSecret: mine('hook-before') },
    redis: { password: mine('redis') },
  });
  t.equal(release.find('Secret'), undefined);
  t.same(credentialSources(release), {
    AUTH_TOKEN: 'mine/token',
    CODEHOST_WEBHOOK_SECRET: 'mine/hook',
    CODEHOST_WEBHOOK_SECRET_PREVIOUS: 'mine/hook-before',
    STREAM_PASSWORD: 'mine/redis',
  });
  t.match(release.at('StatefulSet', 'spec.template.spec.containers.0.env'), [
    { valueFrom: { secretKeyRef: { name: 'mine', key: 'redis' } } },
  ]);
});

test('webhooks that need no signature have no secret', { skip }, async (t) => {
  const release = await render({ codehost: { signed: false, previousWebhookSecret: { value: 'old' } } });
  t.same(Object.keys(credentialSources(release)).sort(), ['AUTH_TOKEN', 'STREAM_PASSWORD']);
});

test('no credential stands anywhere but in the Secret', { skip }, async (t) => {
  const values = {
    auth: { token: { value: 'needle-token' } },
    codehost: { webhookSecret: { value: 'needle-hook' } },
    redis: { password: { value: 'needle-redis' } },
  };
  t.notMatch((await render(values)).text, /needle/);
});
