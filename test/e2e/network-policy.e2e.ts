import { test } from 'tap';
import { stringify } from 'yaml';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { apply, kubectl } from './run.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const listener = `
  import { createServer } from 'node:net';
  createServer((socket) => socket.end()).listen(8080);
`;

/** Prints whether HOST:PORT can be connected to. A policy takes effect a while after it is made, so it tries for a while. */
const knocker = `
  import { connect } from 'node:net';
  import { setTimeout as sleep } from 'node:timers/promises';
  const { HOST, PORT, EXPECTED } = process.env;
  const knock = () => new Promise((resolve) => {
    const socket = connect(Number(PORT), HOST);
    const end = (answer) => { socket.destroy(); resolve(answer); };
    socket.setTimeout(2000, () => end('closed')).on('connect', () => end('open')).on('error', () => end('closed'));
  });
  let answer;
  for (let i = 0; i < 5 && (answer = await knock()) !== EXPECTED; i++) await sleep(1000);
  console.log(answer);
`;

/** Whether a pod can connect there: `expected`, or what it is after all. */
const knock = (pods: Sandbox, host: string, port: number, expected: 'open' | 'closed') =>
  pods.run(knocker, { HOST: host, PORT: String(port), EXPECTED: expected });

/** Whether the network of this cluster does what policies say: nothing may reach a pod that is closed to all. */
async function isEnforced(pods: Sandbox): Promise<boolean> {
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'closed' } };
  await apply(
    stringify({ ...policy, spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
    '--namespace',
    pods.namespace,
  );
  const address = await pods.addressOf(await pods.start(listener));
  return (await knock(pods, address, 8080, 'closed')) === 'closed';
}

test('a policy selects the pods of the service, and another one Redis', async (t) => {
  await installed(t);
  const selected =
    '{range .items[*]}{.spec.podSelector.matchLabels.app\\.kubernetes\\.io/component} {.spec.policyTypes}{"\\n"}{end}';
  const policies = await kubectl('--namespace', namespace, 'get', 'networkpolicy', `--output=jsonpath=${selected}`);
  t.same(policies.split('\n').sort(), ['redis ["Ingress","Egress"]', 'server ["Ingress","Egress"]']);
});

test('another pod reaches the service, and not its Redis', async (t) => {
  await installed(t);
  const pods = await sandbox(t);
  t.equal(await knock(pods, `frontdesk.${namespace}`, 80, 'open'), 'open', 'the service');
  if (!(await isEnforced(pods))) {
    t.pass('Redis', { skip: 'the network of this cluster does not enforce policies' });
    return;
  }
  t.equal(await knock(pods, `frontdesk-redis.${namespace}`, 6379, 'closed'), 'closed', 'Redis');
});
