import closeWithGrace from 'close-with-grace';
import { ConfigError, readConfig } from './read-config.ts';
import { buildServer } from './server.ts';

try {
  const config = readConfig(process.env);
  const app = await buildServer(config);
  // Requests in flight finish; on a second signal, or after the time is up, the process ends all the same.
  closeWithGrace({ delay: config.SHUTDOWN_TIMEOUT, logger: app.log }, async ({ err, signal }) => {
    if (err) app.log.fatal({ err }, 'unexpected error');
    else app.log.info({ signal }, 'stopping');
    await app.close();
  });
  await app.listen({ host: config.HOST, port: config.PORT });
} catch (error) {
  const lines =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
  for (const line of lines) console.error(line);
  process.exit(1);
}
