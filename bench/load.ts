import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('load.lua', import.meta.url));

/** A request, sent again and again. `[<id>]` in a header stands for an id that is another one each time. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadOptions {
  url: string;
  request: LoadRequest;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requests: number;
  /** Of the whole load, in seconds. */
  duration: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Requests without a good answer, by what came instead. */
  failures: Record<string, number>;
}

/**
 * Puts load on a server with wrk, which takes a fraction of what any server on Node takes for the same request, so that
 * the server is what is measured.
 * @throws if a single request has no good answer: what is measured then is something else.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-load-'));
  try {
    return resultOf(await wrk(options, dir), options.request);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function wrk({ url, request, connections, seconds }: LoadOptions, dir: string): Promise<string> {
  const { method, path, headers, body } = request;
  const file = body === undefined ? '-' : join(dir, 'body');
  if (body !== undefined) writeFileSync(file, body);
  const { stdout } = await run('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${Math.ceil(seconds)}s`],
    ...['--script', script, url, '--', method, path, file],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]);
  return stdout;
}

function resultOf(output: string, { method, path }: LoadRequest): LoadResult {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`wrk told no result: ${output}`);
  const result: LoadResult = JSON.parse(last);
  const failures = Object.entries(result.failures).filter(([, count]) => count > 0);
  if (failures.length > 0 || result.requests === 0) {
    throw new Error(
      `${method} ${path}: ${failures.map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'no answer'}`,
    );
  }
  return result;
}
