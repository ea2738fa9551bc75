import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const generator = fileURLToPath(new URL('load-generator.ts', import.meta.url));

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
  /** What was no answer of 2xx, by what it was instead. */
  failures: Record<string, number>;
}

/**
 * Puts load on a server, from a process of its own.
 * @throws if a single answer is not 2xx: what is measured then is something else.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const child = spawn(process.execPath, [generator], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(options));
  const result: LoadResult = JSON.parse(await text(child.stdout));
  const failures = Object.entries(result.failures).filter(([, count]) => count > 0);
  if (failures.length > 0 || result.requests === 0) {
    const { method, path } = options.request;
    throw new Error(
      `${method} ${path}: ${failures.map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'no answer'}`,
    );
  }
  return result;
}
