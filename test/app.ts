import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { readConfig } from '../src/read-config.ts';
import { buildServer, type Surroundings } from '../src/server.ts';

export const token = 'test-token';
/** Headers of an authenticated JSON request. */
export const authorized = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

/** The real application on a data folder of its own, closed when the test ends. Speak to it by `inject`. */
export async function startApp(
  t: Pick<Test, 'testdir' | 'teardown'>,
  env: Record<string, string> = {},
  surroundings: Surroundings = {},
): Promise<FastifyInstance> {
  const config = readConfig({
    AUTH_TOKEN: token,
    LOG_LEVEL: 'silent',
    DATA_DIR: env.DATA_DIR ?? t.testdir(),
    TEMPLATES_DIR: resolve('templates'),
    MODULES_DIR: resolve('templates/modules/oci'),
    ...env,
  });
  const app = await buildServer(config, surroundings);
  t.teardown(() => app.close());
  return app;
}

/** The application listening on a free port of loopback. */
export async function listenApp(...args: Parameters<typeof startApp>): Promise<{ app: FastifyInstance; url: string }> {
  const app = await startApp(...args);
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}
