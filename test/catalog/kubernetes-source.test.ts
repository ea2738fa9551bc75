import type { FastifyInstance } from 'fastify';
import { type Test, test } from 'tap';
import { startApp } from '../app.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { until } from '../redis/until.ts';

/** How long a change may take to be served, in milliseconds; far longer than it takes. */
const SEEN_MS = 20_000;

const skip = skipWithoutKube;
const definition = 'crds/claimtemplates.frontdesk.dev.yaml';

test('a template that is applied, changed and deleted is served so, without a restart', { skip }, async (t) => {
  const { server, app } = await watching(t);
  t.match((await app.inject('/ready')).json(), { status: 'ready' });
  await server.apply(someTemplate({ title: 'first' }));
  await untilServed(app, { some: 'first' });
  await server.apply(someTemplate({ title: 'second' }));
  await untilServed(app, { some: 'second' });
  await server.kubectl(['delete', 'ct', 'some']);
  await untilServed(app, {});
});

test('an API server that ends and comes back is followed again; what was known is served meanwhile', {
  skip,
}, async (t) => {
  const { server, app } = await watching(t);
  await server.apply(someTemplate({ title: 'before' }));
  await untilServed(app, { some: 'before' });
  await server.stop('SIGKILL');
  await until(async () => (await source(app)).reason !== undefined, SEEN_MS, never('a reason'));
  t.match(await source(app), { synced: true, templates: 1, reason: /ECONNREFUSED|terminated|closed|fetch failed/ });
  t.equal((await app.inject('/ready')).statusCode, 200);
  t.same(await titles(app), { some: 'before' });
  const metrics = (await app.inject('/metrics')).body;
  t.match(metrics, /^frontdesk_catalog_sync_age_seconds\{source="kubernetes"\} [0-9.e-]+$/m);
  await server.start();
  await server.apply(someTemplate({ title: 'after' }));
  await untilServed(app, { some: 'after' });
  t.notOk('reason' in (await source(app)));
});

test('a definition that is missing at start, comes, goes, and comes again is followed', { skip }, async (t) => {
  const server = await startKubeApiServer(t);
  const app = await startWatching(t, server);
  t.equal((await app.inject('/ready')).statusCode, 503);
  t.match(await source(app), { synced: false, reason: /404|not found/i });
  await server.apply(definition);
  await until(async () => (await app.inject('/ready')).statusCode === 200, SEEN_MS, never('ready'));
  await server.kubectl(['wait', '--for=condition=Established', '-f', definition]);
  await server.apply(someTemplate({ title: 'first' }));
  await untilServed(app, { some: 'first' });
  await server.kubectl(['delete', '-f', definition]);
  await untilServed(app, {});
  await server.apply(definition);
  await server.kubectl(['wait', '--for=condition=Established', '-f', definition]);
  await server.apply(someTemplate({ title: 'again' }));
  await untilServed(app, { some: 'again' });
});

async function watching(t: Test, env: Record<string, string> = {}) {
  const server = await startKubeApiServer(t);
  await server.apply(definition);
  await server.kubectl(['wait', '--for=condition=Established', '-f', definition]);
  return { server, app: await startWatching(t, server, env) };
}

function startWatching(t: Test, { kubeconfig }: KubeApiServer, env: Record<string, string> = {}) {
  return startApp(t, { CATALOG_SOURCES: 'kubernetes', KUBECONFIG: kubeconfig, ...env });
}

async function source(app: FastifyInstance): Promise<Record<string, unknown>> {
  return (await app.inject('/ready')).json().dependencies.catalog.sources.kubernetes;
}

async function titles(app: FastifyInstance): Promise<Record<string, string | undefined>> {
  const { items } = (await app.inject('/api/v1/claim-templates')).json();
  return Object.fromEntries(
    items.map(({ metadata }: { metadata: Record<string, string> }) => [metadata.name, metadata.title]),
  );
}

async function untilServed(app: FastifyInstance, expected: Record<string, string>): Promise<void> {
  const wanted = JSON.stringify(expected);
  await until(async () => JSON.stringify(await titles(app)) === wanted, SEEN_MS, never(wanted));
}

const never = (what: string) => (cause: unknown) => new Error(`${what} is never seen`, { cause });
