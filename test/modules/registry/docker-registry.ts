import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../../bench/free-port.ts';
import { BackgroundProgram } from '../../programs/background-program.ts';
import { isMissing, missingProgram } from '../../programs/run-program.ts';
import { until } from '../../programs/until.ts';

/** How long a registry may take until it answers, in milliseconds. */
const START_MS = 20_000;

/** Why tests that need a real registry are skipped, where it is not installed; else false. */
export const skipWithoutRegistry: string | false =
  spawnSync('docker-registry', ['--version']).error === undefined ? false : 'docker-registry is not installed';

/** A user of registries with passwords; the hash is bcrypt's, as `htpasswd -B` writes it. */
export const USER = { username: 'puller', password: 'U*U' };
const HTPASSWD = `${USER.username}:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\n`;

export interface RegistrySettings {
  /** Asks for {@link USER} where it is `htpasswd`; for tokens where it names who gives them. */
  auth?: 'htpasswd' | { realm: string; service: string; issuer: string; rootcertbundle: string };
  /** PEM files; it speaks TLS only where they are given. */
  tls?: { cert: string; key: string };
}

/** A real registry, of Debian's package docker-registry, on a port and in a folder that it keeps over restarts. */
export class DockerRegistry {
  /** As references name it. */
  readonly host: string;
  readonly url: string;
  /** Where its configuration and its data are. */
  readonly folder: string;
  #process: BackgroundProgram | undefined;
  #marks = 0;

  /** Made by `startDockerRegistry`. */
  constructor(port: number, dir: string, secure: boolean) {
    this.host = `127.0.0.1:${port}`;
    this.url = `${secure ? 'https' : 'http'}://${this.host}`;
    this.folder = dir;
  }

  /** What was asked for so far, as `GET path-below-/v2/`, its own questions aside; the latest last. */
  pulls(): Promise<string[]> {
    return this.#requests(['GET', 'HEAD']);
  }

  /** What was pushed so far, as `PUT path-below-/v2/`. */
  uploads(): Promise<string[]> {
    return this.#requests(['POST', 'PUT', 'PATCH']);
  }

  async #requests(methods: readonly string[]): Promise<string[]> {
    this.#marks += 1;
    const mark = `mark-${this.#marks}`;
    // The log is in order, and comes late.
    await answers(`${this.url}/v2/${mark}`);
    await until(
      () => this.#process?.output.includes(`/v2/${mark} `) === true,
      START_MS,
      () => new Error(`docker-registry did not log ${mark}: ${this.#process?.output}`),
    );
    return [...(this.#process?.output ?? '').matchAll(/"([A-Z]+) \/v2\/(\S+) HTTP/g)]
      .filter(([, method = '', path = '']) => methods.includes(method) && !path.startsWith('mark-'))
      .map(([, method, path]) => `${method} ${path}`);
  }

  async start(): Promise<void> {
    try {
      const process = await BackgroundProgram.spawn('docker-registry', ['serve', 'config.yml'], this.folder);
      this.#process = process;
      await until(
        () => process.ended || answers(`${this.url}/v2/`),
        START_MS,
        (cause) => new Error(`docker-registry did not answer: ${process.output}`, { cause }),
      );
      if (process.ended) throw new Error(`docker-registry ended when it was started: ${process.output}`);
    } catch (error) {
      throw isMissing(error) ? missingProgram('docker-registry', error) : error;
    }
  }

  /** From now on it answers nothing, while the system takes connections for it. */
  pause(): void {
    this.#process?.signal('SIGSTOP');
  }

  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.#process?.end('SIGKILL');
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Starts a registry on loopback, in a folder of its own; when the test ends it is killed and its folder removed. */
export async function startDockerRegistry(
  t: Pick<Test, 'teardown'>,
  { auth, tls }: RegistrySettings = {},
): Promise<DockerRegistry> {
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-registry-'));
  const port = await freePort();
  const registry = new DockerRegistry(port, dir, tls !== undefined);
  t.teardown(() => registry.remove());
  const htpasswd = { htpasswd: { realm: 'test', path: join(dir, 'htpasswd') } };
  const config = {
    version: 0.1,
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: join(dir, 'data') } },
    http: {
      addr: registry.host,
      secret: 'test',
      ...(tls && { tls: { certificate: tls.cert, key: tls.key } }),
    },
    ...(auth && { auth: auth === 'htpasswd' ? htpasswd : { token: auth } }),
  };
  await writeFile(join(dir, 'htpasswd'), HTPASSWD);
  // JSON is YAML.
  await writeFile(join(dir, 'config.yml'), JSON.stringify(config));
  await registry.start();
  return registry;
}

/** Whether anything answers, be it that a password is missing. */
function answers(url: string): Promise<boolean> {
  const request = url.startsWith('https:') ? httpsRequest(url, { rejectUnauthorized: false }) : httpRequest(url);
  return new Promise((resolve) => {
    request.on('response', (response) => {
      response.resume();
      resolve(true);
    });
    request.on('error', () => resolve(false));
    request.end();
  });
}
