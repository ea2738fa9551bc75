import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { untilServing } from './until-serving.ts';

/** How long a server may take to stop before it is killed, in milliseconds. */
const STOP_MS = 10_000;

const root = fileURLToPath(new URL('..', import.meta.url));

/** A server that runs as a child process on a free port of loopback. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Ends the process; resolves when it has gone. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  /** The module to run, as a path from the root of the repository. */
  entry: string;
  /** Its whole environment, beside `HOST` and `PORT`. */
  env: Record<string, string>;
  /** A file descriptor that takes its standard output; left out, that goes to the null device. */
  output?: number;
}

/**
 * Starts a server with the Node that runs this, and waits until its `/health` answers.
 * @throws if it ends, or does not answer in time.
 */
export async function startServer({ entry, env, output }: ServerProcessOptions): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [entry], {
    cwd: root,
    env: { HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', output ?? 'ignore', 'inherit'],
  });
  const server = { url, pid: child.pid ?? 0, stop: () => stop(child) };
  try {
    await untilServing(`${url}/health`, child);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const tooSlow = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(tooSlow);
}
