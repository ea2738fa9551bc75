import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { stringify } from 'yaml';
import { image } from '../../hack/kind/settings.mjs';
import { apply, kubectl } from './run.ts';
import { wait } from './wait.ts';

/** A namespace of this test, gone when it ends. */
export async function sandbox(t: Pick<Test, 'teardown'>): Promise<Sandbox> {
  const namespace = `e2e-${randomBytes(4).toString('hex')}`;
  await kubectl('create', 'namespace', namespace);
  t.teardown(() => kubectl('delete', 'namespace', namespace, '--wait=false'));
  return new Sandbox(namespace);
}

/** Other pods than those of the release, in the same cluster. */
export class Sandbox {
  readonly namespace: string;
  #count = 0;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  /** Runs an ECMAScript module in a pod of its own to its end; what it printed. */
  async run(script: string, env: Record<string, string> = {}): Promise<string> {
    const name = await this.start(script, env);
    await wait(`the pod ${name} has ended`, async () => ['Succeeded', 'Failed'].includes(await this.#phase(name)));
    const printed = await kubectl('--namespace', this.namespace, 'logs', name);
    if ((await this.#phase(name)) === 'Failed') throw new Error(`the pod ${name} failed: ${printed}`);
    return printed;
  }

  /** Starts an ECMAScript module in a pod of its own; the name of the pod. */
  async start(script: string, env: Record<string, string> = {}): Promise<string> {
    const name = `script-${++this.#count}`;
    const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
    const container = {
      name: 'script',
      image: `${image.repository}:${image.tag}`,
      imagePullPolicy: 'IfNotPresent',
      command: ['node', '--input-type=module', '--eval', script],
      env: variables,
    };
    const metadata = { name, namespace: this.namespace };
    const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 0, containers: [container] };
    await apply(stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }));
    return name;
  }

  /** Address of a pod, once it runs. */
  async addressOf(pod: string): Promise<string> {
    const address = () =>
      kubectl('--namespace', this.namespace, 'get', 'pod', pod, '--output=jsonpath={.status.podIP}');
    await wait(`the pod ${pod} runs`, async () => (await this.#phase(pod)) === 'Running' && (await address()) !== '');
    return address();
  }

  #phase(pod: string): Promise<string> {
    return kubectl('--namespace', this.namespace, 'get', 'pod', pod, '--output=jsonpath={.status.phase}');
  }
}
