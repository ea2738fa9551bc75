import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFloor } from './floors/start-floor.ts';
import type { LoadRequest } from './load.ts';
import { writeTemplates } from './many-templates.ts';
import { type Figures, measure } from './measure.ts';
import type { Options } from './options.ts';
import { type Row, secret, token } from './rows.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const MANY_TEMPLATES = 1000;

export type RowFigures = Record<'frontdesk' | 'fastify' | 'node-http', Figures>;

/** Measures one row: the production entry, and its floors with the very answer that it gives. `dir` is for its files. */
export async function measureRow(row: Row, { seconds, rounds }: Options, dir: string): Promise<RowFigures> {
  const started: ServerProcess[] = [];
  const track = async (starting: Promise<ServerProcess>) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  try {
    const frontdesk = await track(startFrontdesk(row, dir));
    const answer = join(dir, 'answer.json');
    writeFileSync(answer, await answerOf(frontdesk.url, row.request));
    const floor = { answer, as: row.answer };
    const servers = {
      frontdesk,
      fastify: await track(startFloor('fastify', floor)),
      'node-http': await track(startFloor('node-http', floor)),
    };
    return await measure(servers, { request: row.request, connections: row.connections, seconds, rounds });
  } finally {
    for (const server of started) await server.stop();
  }
}

function startFrontdesk(row: Row, dir: string): Promise<ServerProcess> {
  const templates = join(dir, 'templates');
  if (row.manyTemplates) writeTemplates(templates, MANY_TEMPLATES);
  return startServer({
    entry: 'src/main.ts',
    env: {
      AUTH_TOKEN: token,
      CODEHOST_WEBHOOK_SECRET: secret,
      DATA_DIR: join(dir, 'data'),
      ...(row.manyTemplates && { TEMPLATES_DIR: templates }),
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
