import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Test } from 'tap';
import { stringify } from 'yaml';
import { freePort } from '../../bench/free-port.ts';
import { kubeAssetsFolder } from '../../hack/kube-assets-folder.mjs';
import { BackgroundProgram } from '../programs/background-program.ts';
import { runProgram } from '../programs/run-program.ts';
import { until } from '../programs/until.ts';
import { type ApiCallRecord, auditPolicy, readAuditLog } from './audit-log.ts';

/** How long a server may take until it answers, in milliseconds. */
const START_MS = 60_000;
const KUBECTL_MS = 30_000;

const kubeAssets = kubeAssetsFolder();

/** Why tests that need an API server are skipped, where they are. */
export const skipWithoutKube = kubeAssets === undefined && 'kube-apiserver is missing; `npm run kube-assets` gets it';

const EtcdAnswer = Type.Object({ header: Type.Object({ revision: Type.String() }) });

/** A real Kubernetes API server with its etcd on loopback: RBAC and admission as in a cluster, and no nodes. */
export class KubeApiServer {
  readonly dir: string;
  readonly port: number;
  readonly url: string;
  /** Of a user in `system:masters`. */
  readonly kubeconfig: string;
  readonly #etcdPort: number;
  readonly #tokens: string[] = [];
  #etcd: BackgroundProgram | undefined;
  #server: BackgroundProgram | undefined;

  constructor(dir: string, port: number, etcdPort: number) {
    this.dir = dir;
    this.port = port;
    this.url = `https://127.0.0.1:${port}`;
    this.#etcdPort = etcdPort;
    this.kubeconfig = join(dir, 'admin.kubeconfig');
  }

  /** Starts both, the latter with what it knew when it ended. */
  async start(): Promise<void> {
    this.#etcd ??= await this.#spawn('etcd', await etcdArgs(this.dir, this.#etcdPort));
    this.#server = await this.#spawn('kube-apiserver', serverArgs(this.dir, this.port, this.#etcdPort));
    const gaveUp = (cause: unknown) =>
      new Error(`no answer within ${START_MS} ms: ${this.#server?.output.slice(-2000)}`, { cause });
    await until(() => this.#isReady(), START_MS, gaveUp);
  }

  /** Ends the API server as a crash does. etcd goes on. (In good order it would wait for those who watch.) */
  async kill(): Promise<void> {
    await this.#server?.end('SIGKILL');
  }

  /** Has etcd forget all versions up to the present one, as it does by itself after a while. */
  async compact(): Promise<void> {
    // https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/
    const call = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${this.#etcdPort}/v3/kv/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`etcd: ${await response.text()}`);
      return response.json();
    };
    const { header } = Value.Parse(EtcdAnswer, await call('range', { key: Buffer.from('/').toString('base64') }));
    await call('compaction', { revision: header.revision, physical: true });
  }

  async remove(): Promise<void> {
    await this.#server?.end('SIGKILL');
    await this.#etcd?.end('SIGKILL');
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Lets a user in from the next start on, and gives the path of their kubeconfig. */
  async addUser(name: string, groups: readonly string[], namespace = 'default'): Promise<string> {
    const token = randomBytes(16).toString('hex');
    this.#tokens.push(`${token},${name},${name},"${groups.join(',')}"`);
    await writeFile(join(this.dir, 'tokens.csv'), `${this.#tokens.join('\n')}\n`, { mode: 0o600 });
    const path = join(this.dir, `${name}.kubeconfig`);
    await writeFile(path, this.#kubeconfigOf(name, token, namespace), { mode: 0o600 });
    return path;
  }

  /** What `kubectl` prints; it reads `input`, if there is any. */
  kubectl(args: readonly string[], input?: string): Promise<string> {
    return kubectl(this.kubeconfig, args, input);
  }

  /** What was written so far, of what `auditPolicy` names. */
  auditLog(): Promise<ApiCallRecord[]> {
    return readAuditLog(join(this.dir, 'audit.log'));
  }

  /** Creates or changes objects, given as manifests or as paths of files. */
  async apply(...objects: (object | string)[]): Promise<void> {
    for (const one of objects) {
      if (typeof one === 'string') await this.kubectl(['apply', '--server-side', '-f', one]);
      else await this.kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(one));
    }
  }

  #spawn(program: string, args: readonly string[]): Promise<BackgroundProgram> {
    if (kubeAssets === undefined) throw new Error(`${program} is missing: ${skipWithoutKube}`);
    return BackgroundProgram.spawn(join(kubeAssets, program), args, this.dir);
  }

  #isReady(): Promise<boolean> {
    if (this.#server?.ended) throw new Error('it ended');
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    // Its certificate is its own, and nobody else listens there.
    request(`${this.url}/readyz`, { rejectUnauthorized: false, timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', reject)
      .end();
    return promise;
  }

  #kubeconfigOf(user: string, token: string, namespace: string): string {
    const cluster = { server: this.url, 'certificate-authority': join(this.dir, 'pki', 'apiserver.crt') };
    return stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster }],
      users: [{ name: user, user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user, namespace } }],
    });
  }
}

/**
 * Starts an API server in a folder of its own, which goes with it when the test ends.
 * @param prepare called before it starts, to add users
 */
export async function startKubeApiServer(
  t: Pick<Test, 'teardown'>,
  prepare: (server: KubeApiServer) => Promise<void> = async () => {},
): Promise<KubeApiServer> {
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-kube-'));
  const server = new KubeApiServer(dir, await freePort(), await freePort());
  t.teardown(() => server.remove());
  await mkdir(join(dir, 'pki'));
  await runProgram('openssl', ['genrsa', '-out', join(dir, 'service-account.key'), '2048']);
  await writeFile(join(dir, 'audit-policy.json'), JSON.stringify(auditPolicy));
  await server.addUser('admin', ['system:masters']);
  await prepare(server);
  await server.start();
  return server;
}

/** Runs `kubectl` as the user of `kubeconfig`. */
export async function kubectl(kubeconfig: string, args: readonly string[], input = ''): Promise<string> {
  const program = join(kubeAssets ?? '', 'kubectl');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile(
    program,
    ['--kubeconfig', kubeconfig, ...args],
    { timeout: KUBECTL_MS, env: { PATH: process.env.PATH, HOME: join(kubeconfig, '..') }, maxBuffer: 2 ** 26 },
    (error, stdout, stderr) => (error ? reject(new Error(stderr || error.message)) : resolve(stdout)),
  );
  child.stdin?.end(input);
  return promise;
}

async function etcdArgs(dir: string, port: number): Promise<string[]> {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  return [
    ...['--data-dir', join(dir, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    '--unsafe-no-fsync=true',
    '--log-level=error',
  ];
}

function serverArgs(dir: string, port: number, etcdPort: number): string[] {
  const key = join(dir, 'service-account.key');
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    ...['--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', `--secure-port=${port}`],
    ...[`--cert-dir=${join(dir, 'pki')}`, `--token-auth-file=${join(dir, 'tokens.csv')}`],
    ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24', '--endpoint-reconciler-type=none'],
    ...['--service-account-issuer=https://127.0.0.1/', `--service-account-key-file=${key}`],
    `--service-account-signing-key-file=${key}`,
    '--disable-admission-plugins=ServiceAccount',
    ...[`--audit-log-path=${join(dir, 'audit.log')}`, `--audit-policy-file=${join(dir, 'audit-policy.json')}`],
  ];
}
