import { cluster, namespace } from '../../hack/kind/settings.mjs';
import { kubectl, run } from './run.ts';
import { wait } from './wait.ts';

const node = `${cluster}-control-plane`;
const notLeaving = '{{range .items}}{{if not .metadata.deletionTimestamp}}{{.metadata.name}}{{"\\n"}}{{end}}{{end}}';

/** Names of the pods that serve, without those that are about to end. */
export async function serverPods(): Promise<string[]> {
  const selector = '--selector=app.kubernetes.io/component=server';
  const names = await kubectl('--namespace', namespace, 'get', 'pods', selector, `--output=go-template=${notLeaving}`);
  return names.split('\n').filter((name) => name !== '');
}

/** Deletes a pod without giving it time to say goodbye. */
export async function forceDelete(pod: string): Promise<void> {
  await kubectl('--namespace', namespace, 'delete', 'pod', pod, '--force', '--grace-period=0');
}

/** Kills what runs in the container of a pod by SIGKILL from its node, where nothing can prepare for it. */
export async function killProcess(pod: string): Promise<void> {
  const path = '--output=jsonpath={.status.containerStatuses[0].containerID}';
  const id = (await kubectl('--namespace', namespace, 'get', 'pod', pod, path)).replace(/^.*:\/\//, '');
  // A control group is named after its container; a process may end while it is looked at.
  const script = `kill -KILL $(grep -ls ${id} /proc/[0-9]*/cgroup | cut -d/ -f3)`;
  await run('docker', ['exec', node, 'sh', '-c', script]);
}

/** How many connections to the port of this pod are open: state 01 in /proc/net/tcp is ESTABLISHED, 1F90 is 8080. */
export async function openConnections(pod: string): Promise<number> {
  const script = `
    const lines = require('fs').readFileSync('/proc/net/tcp', 'utf8').split('\\n');
    console.log(lines.filter((line) => /^ *\\d+: [0-9A-F]{8}:1F90 \\S+ 01 /.test(line)).length);
  `;
  return Number(
    await kubectl('--namespace', namespace, 'exec', pod, '--container=frontdesk', '--', 'node', '--eval', script),
  );
}

/** Waits until all pods of the Deployment are ready, and of its latest version. */
export async function rolledOut(): Promise<void> {
  const ready = '{.status.readyReplicas}/{.status.replicas}/{.status.updatedReplicas}/{.spec.replicas}';
  const deployment = ['get', 'deployment', 'frontdesk', `--output=jsonpath=${ready}`];
  await wait('all pods are ready', async () => {
    const counts = (await kubectl('--namespace', namespace, ...deployment)).split('/');
    return new Set(counts).size === 1;
  });
}
