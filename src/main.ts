import closeWithGrace from 'close-with-grace';
import { ConfigError, readConfig } from './read-config.ts';
import { reasonOf } from './reason-of.ts';
import { buildServer } from './server.ts';

/** Where this process serves, once it does. */
export const url = await start();

async function start(): Promise<string> {
  try {
    const config = readConfig(process.env);
    const app = await buildServer(config);
    const delay = config.SHUTDOWN_DELAY + config.SHUTDOWN_TIMEOUT;
    // Requests in flight finish. On a second signal, or when the time is up, the process ends all the same.
    closeWithGrace({ delay, logger: app.log }, async ({ err, signal }) => {
      if (err) app.log.fatal({ err }, 'unexpected error');
      else app.log.info({ signal }, 'stopping');
      await app.close();
    });
    return await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    const message = reasonOf(error);
    for (const line of error instanceof ConfigError ? error.problems : [message]) console.error(line);
    process.exit(1);
  }
}
