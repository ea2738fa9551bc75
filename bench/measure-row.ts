import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRedis } from '../test/redis/redis-server.ts';
import { startFloor, startRedisFloor } from './floors/start-floor.ts';
import type { LoadRequest } from './load.ts';
import { writeTemplates } from './many-templates.ts';
import { type Figures, measure } from './measure.ts';
import type { Options } from './options.ts';
import { type Row, secret, token } from './rows.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const MANY_TEMPLATES = 1000;

/** What was measured of one server of a row; the first is Frontdesk, the second the floor that bars refer to. */
export type RowFigures = { label: string; figures: Figures }[];

/** Measures one row: the production entry, and its floors with the very answer that it gives. `dir` is for its files. */
export async function measureRow(row: Row, { seconds, rounds }: Options, dir: string): Promise<RowFigures> {
  await using started = new AsyncDisposableStack();
  const track = async (starting: Promise<ServerProcess>) => {
    const server = await starting;
    started.defer(() => server.stop());
    return server;
  };
  const redis = row.redis && (await startRedis({ teardown: (end) => started.defer(async () => end()) }, row.redis));
  const frontdesk = await track(startFrontdesk(row, dir, redis?.port));
  const answer = join(dir, 'answer.json');
  writeFileSync(answer, await answerOf(frontdesk.url, row.request));
  const floor = { answer, as: row.answer };
  const floors: Record<string, ServerProcess> =
    redis === undefined
      ? {
          'bare Fastify': await track(startFloor('fastify', floor)),
          'bare node:http': await track(startFloor('node-http', floor)),
        }
      : { 'Fastify, one XADD': await track(startRedisFloor(redis.port)) };
  const { request, connections } = row;
  const options = { request, connections, seconds, rounds, redisPid: redis?.pid };
  const measured = await measure({ Frontdesk: frontdesk, ...floors }, options);
  return Object.entries(measured).map(([label, figures]) => ({ label, figures }));
}

function startFrontdesk(row: Row, dir: string, redisPort: number | undefined): Promise<ServerProcess> {
  const templates = join(dir, 'templates');
  if (row.manyTemplates) writeTemplates(templates, MANY_TEMPLATES);
  return startServer({
    entry: 'src/main.ts',
    env: {
      AUTH_TOKEN: token,
      CODEHOST_WEBHOOK_SECRET: secret,
      DATA_DIR: join(dir, 'data'),
      ...(row.manyTemplates && { TEMPLATES_DIR: templates }),
      ...(redisPort !== undefined && { STREAM_ADDR: '127.0.0.1', STREAM_PORT: String(redisPort) }),
    },
  });
}

async function answerOf(url: string, { method, path, headers, body }: LoadRequest): Promise<Buffer> {
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('[<id>]', 'first')]),
  );
  const response = await fetch(url + path, { method, headers: sent, ...(body !== undefined && { body }) });
  const answer = Buffer.from(await response.arrayBuffer());
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${answer.toString().slice(0, 500)}`);
  return answer;
}
