import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../bench/free-port.ts';
import { BackgroundProgram } from '../programs/background-program.ts';
import { isMissing, missingProgram, runProgram } from '../programs/run-program.ts';
import { until } from '../programs/until.ts';
import { configText, type RedisSettings } from './redis-settings.ts';

/** How long a server may take until it answers, also while it loads its data, in milliseconds. */
const START_MS = 20_000;
/** How long it may take for one PING meanwhile, in milliseconds. */
const PING_MS = 2000;

/** Nothing is written to disk, and nothing is printed but what is amiss. */
const defaults: RedisSettings = { save: '', appendonly: 'no', loglevel: 'warning' };

/** A real redis-server on a port and in a folder that it keeps over restarts. */
export class RedisServer {
  readonly host = '127.0.0.1';
  readonly port: number;
  /** With the password, where `requirepass` is set; `rediss:` where it speaks TLS. */
  readonly url: string;
  /** Where its files are, also its redis.conf. */
  readonly dir: string;
  readonly #args: readonly string[];
  readonly #cliArgs: readonly string[];
  readonly #password: string | undefined;
  #process: BackgroundProgram | undefined;

  /** Made by `startRedis`. */
  constructor(port: number, dir: string, settings: RedisSettings, args: readonly string[]) {
    const { 'tls-ca-cert-file': ca, requirepass: password } = settings;
    const tls = typeof ca === 'string' ? ['--tls', '--cacert', ca] : [];
    this.port = port;
    this.dir = dir;
    this.#args = [join(dir, 'redis.conf'), ...args];
    this.#password = typeof password === 'string' ? password : undefined;
    this.#cliArgs = ['-h', this.host, '-p', String(port), ...tls];
    const credentials = this.#password === undefined ? '' : `:${encodeURIComponent(this.#password)}@`;
    this.url = `${tls.length > 0 ? 'rediss' : 'redis'}://${credentials}${this.host}:${port}`;
  }

  /** Of the latest start. */
  get pid(): number {
    return this.#started.pid;
  }

  get running(): boolean {
    return this.#process?.ended === false;
  }

  /** The latest of what it printed since it was started. */
  get output(): string {
    return this.#started.output;
  }

  /**
   * What redis-cli prints for a command, or for its options `--cluster …`.
   * @throws an error reply, or where there is no answer in time.
   */
  cli(...args: string[]): Promise<string> {
    return this.#cli(args);
  }

  /** Starts it, on the same port and with the files that the last run left, and waits until it answers. */
  async start(): Promise<void> {
    if (this.running) throw new Error(`the redis-server of port ${this.port} is running already`);
    const started = await this.#spawn();
    this.#process = started;
    await until(
      async () => started.ended || (await this.#cli(['PING'], PING_MS)) === 'PONG',
      START_MS,
      (cause) => new Error(`redis-server did not answer within ${START_MS} ms: ${started.output}`, { cause }),
    );
    if (started.ended) throw new Error(`redis-server ended when it was started: ${started.output}`);
  }

  /** From now on it answers nothing, while its connections stay open and the system takes new ones for it. */
  pause(): void {
    this.#started.signal('SIGSTOP');
  }

  resume(): void {
    this.#started.signal('SIGCONT');
  }

  /** Ends it as a crash does, and resolves when it has gone; also where it is paused. */
  kill(): Promise<void> {
    return this.#started.end('SIGKILL');
  }

  /** Ends it in good order. A paused one has to be resumed first. */
  stop(): Promise<void> {
    return this.#started.end('SIGTERM');
  }

  /** Ends it and removes its folder, over and over where a child process of it still writes there. */
  async remove(): Promise<void> {
    await this.#process?.end('SIGKILL');
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #spawn(): Promise<BackgroundProgram> {
    try {
      return await BackgroundProgram.spawn('redis-server', this.#args, this.dir);
    } catch (error) {
      throw isMissing(error) ? missingProgram('redis-server', error) : error;
    }
  }

  get #started(): BackgroundProgram {
    if (this.#process === undefined) throw new Error('redis-server was never started');
    return this.#process;
  }

  #cli(args: string[], timeoutMs?: number): Promise<string> {
    return runProgram('redis-cli', [...this.#cliArgs, '-e', ...args], {
      ...(this.#password !== undefined && { env: { REDISCLI_AUTH: this.#password } }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }
}

/**
 * Starts a redis-server on a free port of loopback, in a folder of its own, and waits until it answers; when the test
 * ends it is killed and its folder removed.
 * @param args of redis-server, beside its redis.conf
 */
export async function startRedis(
  t: Pick<Test, 'teardown'>,
  settings: RedisSettings = {},
  args: readonly string[] = [],
): Promise<RedisServer> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-redis-'));
  const listens = 'tls-cert-file' in settings ? { port: '0', 'tls-port': String(port) } : { port: String(port) };
  await writeFile(
    join(dir, 'redis.conf'),
    configText({ bind: '127.0.0.1', ...listens, dir, ...defaults, ...settings }),
  );
  const server = new RedisServer(port, dir, settings, args);
  t.teardown(() => server.remove());
  await server.start();
  return server;
}
