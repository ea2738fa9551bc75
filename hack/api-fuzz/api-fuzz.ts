// `npm run test:api`: sends generated requests, valid and not, to the production entry, and holds every answer against
// the OpenAPI document. Exits with 1 if one does not fit. `--seed N` and `--max-examples N` look elsewhere and further.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from '../../bench/server-process.ts';
import { fuzzDocument } from './fuzz-document.ts';
import { virtualEnv } from './virtual-env.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/api-fuzz', import.meta.url));

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    'max-examples': { type: 'string', default: '100' },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  mkdirSync(cache, { recursive: true });
  const programs = virtualEnv(join(cache, 'venv'), join(here, 'requirements.txt'));
  const token = randomBytes(24).toString('base64url');
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-fuzz-'));
  const log = join(cache, 'server.log');
  const server = await startServer({
    entry: 'src/main.ts',
    env: { AUTH_TOKEN: token, DATA_DIR: dataDir },
    output: openSync(log, 'w'),
  });
  try {
    const document = join(cache, 'openapi.json');
    writeFileSync(document, JSON.stringify(await fuzzDocument(server.url)));
    console.log(`Seed ${options.seed}; the log of the server is ${log}`);
    return fuzz(join(programs, 'schemathesis'), document, server.url, token);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function fuzz(program: string, document: string, url: string, token: string): number {
  const { status, error } = spawnSync(
    program,
    [
      ...['--config-file', join(here, 'schemathesis.toml')],
      ...['run', document, '--url', url, '--seed', options.seed, '--max-examples', options['max-examples']],
      ...(process.stdout.isTTY ? [] : ['--no-color']),
    ],
    { cwd: cache, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, AUTH_TOKEN: token } },
  );
  if (error) throw error;
  return status ?? 1;
}
