import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasCode } from '../../has-code.ts';
import { Failure } from '../failure.ts';

/** Who the fields of applied claims belong to. */
const FIELD_MANAGER = 'frontdesk';

/** How the cluster is reached, by kubectl's own flags; what is not given, kubectl takes from its configuration. */
export interface KubectlFlags {
  namespace?: string;
  context?: string;
  kubeconfig?: string;
  forceConflicts: boolean;
  /** Longest wait for one answer of the cluster, as Go writes it. */
  timeout: string;
}

/**
 * Shows what a claim would change in the cluster.
 * @returns whether it would change anything
 */
export async function kubectlDiff(claim: string, flags: KubectlFlags): Promise<boolean> {
  // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_diff/: 1 is for differences, more for failures.
  const code = await kubectl('diff', claim, flags);
  if (code !== 0 && code !== 1) throw new Failure('failure', `kubectl diff ended with ${code}; nothing was applied`);
  return code === 1;
}

/** Applies a claim by the server-side rules of the cluster. */
export async function kubectlApply(claim: string, flags: KubectlFlags): Promise<void> {
  const code = await kubectl('apply', claim, flags);
  if (code !== 0) throw new Failure('failure', `kubectl apply ended with ${code}`);
}

/** Its input is the claim; what it prints is printed. */
async function kubectl(verb: 'diff' | 'apply', claim: string, flags: KubectlFlags): Promise<number | NodeJS.Signals> {
  // The token is for the service alone, and kubectl runs plugins.
  const { FRONTDESK_TOKEN: _, ...env } = process.env;
  const child = spawn('kubectl', [verb, ...argumentsOf(flags)], { env, stdio: ['pipe', 'inherit', 'inherit'] });
  // Where it ends without reading, its code says why.
  child.stdin.on('error', () => undefined).end(claim);
  try {
    const [code, signal] = await once(child, 'close');
    return code ?? signal;
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT', 'EACCES')) throw cause;
    throw new Failure('failure', 'kubectl is not installed, or not in PATH', [], { cause });
  }
}

function argumentsOf({ namespace, context, kubeconfig, forceConflicts, timeout }: KubectlFlags): string[] {
  return [
    '--server-side',
    `--field-manager=${FIELD_MANAGER}`,
    ...(forceConflicts ? ['--force-conflicts'] : []),
    ...Object.entries({ namespace, context, kubeconfig }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    ),
    `--request-timeout=${timeout}`,
    '--filename=-',
  ];
}
