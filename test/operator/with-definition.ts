import type { Test } from 'tap';
import { define } from '../catalog/watching-app.ts';
import { type KubeApiServer, startKubeApiServer } from '../kubernetes/kube-api-server.ts';

/** An API server that knows ClaimTemplates. */
export async function withDefinition(
  t: Test,
  prepare?: (server: KubeApiServer) => Promise<void>,
): Promise<KubeApiServer> {
  const server = await startKubeApiServer(t, prepare);
  await define(server);
  return server;
}
