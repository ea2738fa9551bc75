import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { startApp } from '../app.ts';
import type { KubeApiServer } from '../kubernetes/kube-api-server.ts';
import { until } from '../programs/until.ts';

/** How long a change may take to be served, in milliseconds; far longer than it takes. */
const SEEN_MS = 20_000;

export const definition = 'crds/claimtemplates.frontdesk.dev.yaml';

/** Makes ClaimTemplate known to an API server. */
export async function define(server: KubeApiServer): Promise<void> {
  await server.apply(definition);
  await server.kubectl(['wait', '--for=condition=Established', '-f', definition]);
}

/** The application on the templates of a cluster. */
export function startWatching(
  t: Test,
  { kubeconfig }: Pick<KubeApiServer, 'kubeconfig'>,
  env: Record<string, string> = {},
): Promise<FastifyInstance> {
  return startApp(t, { CATALOG_SOURCES: 'kubernetes', KUBECONFIG: kubeconfig, ...env });
}

/** What `/ready` tells of the catalog. */
export async function catalogOf(app: FastifyInstance) {
  const { catalog } = (await app.inject('/ready')).json().dependencies;
  return { ...catalog, kubernetes: catalog.sources.kubernetes };
}

/** Titles of all templates, by name. */
export async function titles(app: FastifyInstance): Promise<Record<string, string | undefined>> {
  const { items } = (await app.inject('/api/v1/claim-templates')).json();
  return Object.fromEntries(
    items.map(({ metadata }: { metadata: Record<string, string> }) => [metadata.name, metadata.title]),
  );
}

/** How often the cluster could be read again, by `/metrics`. */
export async function reconnects(app: FastifyInstance): Promise<number> {
  const metrics = (await app.inject('/metrics')).body;
  return Number(/^frontdesk_catalog_reconnects_total\{source="kubernetes"\} (\d+)$/m.exec(metrics)?.[1]);
}

export async function untilServed(app: FastifyInstance, expected: Record<string, string>): Promise<void> {
  const wanted = JSON.stringify(expected);
  await untilSeen(async () => JSON.stringify(await titles(app)) === wanted, wanted);
}

export async function untilSeen(condition: () => Promise<boolean>, what: string): Promise<void> {
  await until(condition, SEEN_MS, (cause) => new Error(`${what} is never seen`, { cause }));
}
