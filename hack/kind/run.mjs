// Runs the programs that the scripts of this folder need.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cluster, kubeconfig, root } from './settings.mjs';

const missing = {
  ct: 'ct is missing: go install github.com/helm/chart-testing/v3/ct@v3.14.0; it needs yamllint and yamale: pip install yamllint yamale',
  docker: 'docker is missing, or its engine does not answer: https://docs.docker.com/engine/install/',
  kind: 'kind is missing: go install sigs.k8s.io/kind@v0.30.0, or https://kind.sigs.k8s.io/docs/user/quick-start/#installation',
  kubectl: 'kubectl is missing: https://kubernetes.io/docs/tasks/tools/',
  helm: 'helm is missing: go install helm.sh/helm/v3/cmd/helm@v3.19.5, or https://helm.sh/docs/intro/install/',
};
const check = {
  docker: ['version'],
  kind: ['version'],
  kubectl: ['version', '--client'],
  helm: ['version', '--short'],
  ct: ['version'],
};

/** Ends the process, with a line for each of these programs that cannot be run. */
export function need(...programs) {
  const lines = programs
    .filter((program) => spawnSync(program, check[program]).status !== 0)
    .map((program) => missing[program]);
  if (lines.length === 0) return;
  for (const line of lines) console.error(line);
  process.exit(1);
}

/** Ends the process where the cluster is not one that `npm run kind:up` made. */
export function needCluster() {
  if (existsSync(kubeconfig)) return;
  console.error(`The cluster ${cluster} is not up: npm run kind:up`);
  process.exit(1);
}

/** Environment of every program: the cluster is that of the settings, whatever the default context is. */
const env = { ...process.env, KUBECONFIG: kubeconfig };

/** Runs a program in the foreground; ends the process if it fails. */
export function run(program, args, { input } = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env,
    input,
    stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  console.error(`${program} ${args[0]} failed${error ? `: ${error.message}` : ''}`);
  process.exit(1);
}

/** What a program prints; undefined if it fails. */
export function output(program, args) {
  const { status, stdout } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
