import { readdirSync, readFileSync } from 'node:fs';
import tap, { test } from 'tap';
import { parse } from 'yaml';
import { someTemplate } from '../crds/broken-templates.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { chart, helm, type Manifest, part, Rendered, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm || skipWithoutKube;
const server = skip ? undefined : await startKubeApiServer(tap);

function cluster(): KubeApiServer {
  if (server === undefined) throw new Error('no API server');
  return server;
}

/** Runs `helm` on the release `frontdesk` of a namespace, and gives what it prints. */
async function release(command: 'install' | 'upgrade' | 'uninstall', namespace: string, values?: object) {
  const args = ['frontdesk', ...(command === 'uninstall' ? [] : [chart]), '--namespace', namespace];
  const env = { KUBECONFIG: cluster().kubeconfig, HOME: cluster().dir };
  const result = await helm([command, ...args], values, env);
  if (result.code !== 0) throw new Error(result.stderr);
  return result.stdout + result.stderr;
}

/** A namespace that takes only pods of the restricted profile. */
async function restrictedNamespace(name: string): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster().apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

/** The pods that a workload would have. */
function podsOf(object: Manifest, namespace: string): object[] {
  const spec = part(object, object.kind === 'Pod' ? 'spec' : 'spec.template.spec');
  if (typeof spec !== 'object' || spec === null || part(spec, 'containers') === undefined) return [];
  // A claim is mounted where the StatefulSet has it.
  const claims = part(object, 'spec.volumeClaimTemplates');
  const volumes = [part(spec, 'volumes'), Array.isArray(claims) ? [{ name: 'data', emptyDir: {} }] : []].flat();
  const pod = { ...spec, volumes: volumes.filter((volume) => volume !== undefined) };
  return [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `${object.metadata.name}-dry`, namespace }, spec: pod }];
}

const token = (namespace: string) =>
  cluster().kubectl(['-n', namespace, 'get', 'secret', 'frontdesk', '-o', 'jsonpath={.data.auth-token}']);

for (const file of readdirSync(`${chart}/ci`)) {
  test(`the API server takes every object of ${file}, and its pods by the restricted profile`, { skip }, async (t) => {
    const namespace = file.replace('-values.yaml', '');
    const values = parse(readFileSync(`${chart}/ci/${file}`, 'utf8'));
    await restrictedNamespace(namespace);
    await release('install', namespace, values);
    t.teardown(() => release('uninstall', namespace));
    const { stdout } = await helm(['template', 'frontdesk', chart, '--namespace', namespace], values);
    const pods = new Rendered(stdout).manifests.flatMap((manifest) => podsOf(manifest, namespace));
    t.ok(pods.length >= 2);
    for (const pod of pods) {
      const printed = await cluster().kubectl(['create', '--dry-run=server', '-f', '-'], JSON.stringify(pod));
      t.match(printed, /created \(server dry run\)/);
    }
    // As a check of the check.
    const unrestricted = { ...pods[0], spec: { containers: [{ name: 'a', image: 'a' }] } };
    const refused = cluster().kubectl(['create', '--dry-run=server', '-f', '-'], JSON.stringify(unrestricted));
    await t.rejects(refused, /violates PodSecurity "restricted/);
  });
}

test('credentials that were made stay when the release is upgraded, until others are given', { skip }, async (t) => {
  await restrictedNamespace('kept');
  await release('install', 'kept', { crds: { enabled: false } });
  const made = await token('kept');
  t.match(Buffer.from(made, 'base64').toString(), /^[A-Za-z0-9]{40}$/);
  await release('upgrade', 'kept', { crds: { enabled: false }, replicaCount: 3 });
  t.equal(await token('kept'), made);
  await release('upgrade', 'kept', { crds: { enabled: false }, auth: { token: { value: 'mine' } } });
  t.equal(Buffer.from(await token('kept'), 'base64').toString(), 'mine');
  await release('upgrade', 'kept', { crds: { enabled: false } });
  t.equal(Buffer.from(await token('kept'), 'base64').toString(), 'mine');
  await release('uninstall', 'kept');
});

test('templates outlive the release, and the next one takes them over', { skip }, async (t) => {
  const templates = () => cluster().kubectl(['-n', 'outlived', 'get', 'claimtemplates', '-o', 'name']);
  await restrictedNamespace('outlived');
  t.match(await release('install', 'outlived', {}), /STATUS: deployed/);
  await cluster().kubectl(['wait', '--for=condition=Established', 'crd/claimtemplates.frontdesk.dev']);
  await cluster().apply(someTemplate({}, { namespace: 'outlived' }));
  t.match(
    await release('uninstall', 'outlived'),
    /kept due to the resource policy[\s\S]*claimtemplates\.frontdesk\.dev/,
  );
  t.equal(await templates(), 'claimtemplate.frontdesk.dev/some\n');
  await release('install', 'outlived', {});
  t.equal(await templates(), 'claimtemplate.frontdesk.dev/some\n');
  await release('upgrade', 'outlived', { crds: { keep: false } });
  await release('uninstall', 'outlived');
  await cluster().kubectl(['wait', '--for=delete', '--timeout=20s', 'crd/claimtemplates.frontdesk.dev']);
  t.notMatch(await cluster().kubectl(['api-resources', '--api-group=frontdesk.dev', '-o', 'name']), 'claimtemplates');
});

test('what a person is told after installing names only what is there', { skip }, async (t) => {
  await restrictedNamespace('told');
  const notes = await release('install', 'told', { crds: { keep: false }, service: { port: 8000 } });
  t.teardown(() => release('uninstall', 'told'));
  t.match(notes, 'port-forward service/frontdesk 8080:8000');
  const [, secret = '', key = ''] = /get secret (\S+) -o jsonpath='\{\.data\.(\S+)\}'/.exec(notes) ?? [];
  t.equal(
    await cluster().kubectl(['-n', 'told', 'get', 'secret', secret, '-o', `jsonpath={.data.${key}}`]),
    await token('told'),
  );
  for (const [, resource = ''] of notes.matchAll(/((?:deployment|service)\/\S+)/g)) {
    t.match(await cluster().kubectl(['-n', 'told', 'get', resource, '-o', 'name']), /\/frontdesk\n$/);
  }
  t.match(notes, 'WARNING: crds.keep is false');
});
