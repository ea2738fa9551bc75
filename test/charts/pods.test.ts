import { test } from 'tap';
import { container, part, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
const digest = `sha256:${'a'.repeat(64)}`;

const images = [
  { what: 'by default', values: {}, image: 'ghcr.io/frontdesk/frontdesk:0.1.0' },
  { what: 'with a tag', values: { image: { tag: '1.2.3-helm' } }, image: 'ghcr.io/frontdesk/frontdesk:1.2.3-helm' },
  {
    what: 'with a digest',
    values: { image: { tag: '1.2.3', digest } },
    image: `ghcr.io/frontdesk/frontdesk@${digest}`,
  },
  {
    what: 'with a registry',
    values: { image: { registry: 'r.example:5000' } },
    image: 'r.example:5000/frontdesk/frontdesk:0.1.0',
  },
  {
    what: 'without a registry',
    values: { image: { registry: '', repository: 'frontdesk' } },
    image: 'frontdesk:0.1.0',
  },
  {
    what: 'with a registry for all',
    values: { global: { imageRegistry: 'mirror.example' } },
    image: 'mirror.example/frontdesk/frontdesk:0.1.0',
  },
];
for (const { what, values, image } of images) {
  test(`the image ${what} is that of the pods and of the test`, { skip }, async (t) => {
    const release = await render(values);
    t.equal(release.at('Deployment', `${container}.image`), image);
    t.equal(release.at('Pod', 'spec.containers.0.image'), image);
  });
}

test('the registry and the pull secrets for all are those of Redis too', { skip }, async (t) => {
  const release = await render({ global: { imageRegistry: 'mirror.example', imagePullSecrets: [{ name: 'pull' }] } });
  t.match(release.at('StatefulSet', `${container}.image`), /^mirror\.example\/library\/redis:/);
  for (const kind of ['Deployment', 'StatefulSet']) {
    t.same(release.at(kind, 'spec.template.spec.imagePullSecrets'), [{ name: 'pull' }]);
  }
  t.same(release.at('Pod', 'spec.imagePullSecrets'), [{ name: 'pull' }]);
});

test('pods are alive by /health, started by /health, and ready by /ready without Redis', { skip }, async (t) => {
  const release = await render();
  const path = (probe: string) => release.at('Deployment', `${container}.${probe}.httpGet.path`);
  t.equal(path('startupProbe'), '/health');
  t.equal(path('livenessProbe'), '/health');
  t.equal(path('readinessProbe'), '/ready?exclude=store');
});

test('a pod is taken out of the Service, asks to leave, and finishes, before it is killed', { skip }, async (t) => {
  const release = await render({ drain: { seconds: 7, timeoutSeconds: 30 } });
  t.equal(release.at('Deployment', `${container}.lifecycle.preStop.sleep.seconds`), 7);
  t.equal(release.at('ConfigMap', 'data.SHUTDOWN_DELAY', 'frontdesk'), '7s');
  t.equal(release.at('ConfigMap', 'data.SHUTDOWN_TIMEOUT', 'frontdesk'), '30s');
  t.equal(release.at('Deployment', 'spec.template.spec.terminationGracePeriodSeconds'), 7 + 7 + 30 + 5);
});

test('a pod that is not drained has no preStop hook', { skip }, async (t) => {
  const release = await render({ drain: { seconds: 0 } });
  t.equal(release.at('Deployment', `${container}.lifecycle`), undefined);
});

test('a new pod is ready before an old one goes', { skip }, async (t) => {
  const strategy = (await render()).at('Deployment', 'spec.strategy');
  t.same(strategy, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
});

test('pods are spread over zones and nodes, unless you say how', { skip }, async (t) => {
  const path = 'spec.template.spec.topologySpreadConstraints';
  const spread = (await render()).at('Deployment', path);
  t.match(spread, [{ topologyKey: 'topology.kubernetes.io/zone' }, { topologyKey: 'kubernetes.io/hostname' }]);
  const yours = [{ maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }];
  t.same((await render({ topologySpreadConstraints: yours })).at('Deployment', path), yours);
});

const scheduling = {
  priorityClassName: 'important',
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};
test('pods of the service and of Redis go where each is told', { skip }, async (t) => {
  const server = await render(scheduling);
  t.match(server.at('Deployment', 'spec.template.spec'), scheduling);
  t.equal(server.at('StatefulSet', 'spec.template.spec.nodeSelector'), undefined);
  t.match(server.at('Pod', 'spec'), { nodeSelector: scheduling.nodeSelector, tolerations: scheduling.tolerations });
  const redis = await render({ redis: scheduling });
  t.match(redis.at('StatefulSet', 'spec.template.spec'), scheduling);
  t.equal(redis.at('Deployment', 'spec.template.spec.nodeSelector'), undefined);
});

test('labels and annotations of pods are on the pods of each', { skip }, async (t) => {
  const marks = { podLabels: { mesh: 'in' }, podAnnotations: { note: 'one' } };
  const release = await render({ ...marks, redis: { podLabels: { mesh: 'out' }, podAnnotations: { note: 'two' } } });
  t.match(release.at('Deployment', 'spec.template.metadata'), { labels: { mesh: 'in' }, annotations: { note: 'one' } });
  t.match(release.at('StatefulSet', 'spec.template.metadata'), {
    labels: { mesh: 'out' },
    annotations: { note: 'two' },
  });
});

test('resources and security contexts are yours', { skip }, async (t) => {
  const values = {
    resources: { limits: { memory: '1Gi' } },
    podSecurityContext: { fsGroup: 7 },
    securityContext: { runAsUser: 7 },
    redis: { resources: { limits: { memory: '2Gi' } }, podSecurityContext: { fsGroup: 8 } },
  };
  const release = await render(values);
  const server = release.at('Deployment', 'spec.template.spec');
  t.match(server, { securityContext: { fsGroup: 7, runAsNonRoot: true } }, 'over the defaults');
  t.match(server, { containers: [{ resources: { limits: { memory: '1Gi' } }, securityContext: { runAsUser: 7 } }] });
  const redis = release.at('StatefulSet', 'spec.template.spec');
  t.match(redis, { securityContext: { fsGroup: 8 }, containers: [{ resources: { limits: { memory: '2Gi' } } }] });
});

test('more environment, volumes and mounts come after those of the chart', { skip }, async (t) => {
  const release = await render({
    extraEnv: [{ name: 'TZ', value: 'UTC' }],
    extraEnvFrom: [{ secretRef: { name: 'more' } }],
    extraVolumes: [{ name: 'more', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
  });
  const last = (path: string) => {
    const list = release.at('Deployment', path);
    return Array.isArray(list) ? list.at(-1) : undefined;
  };
  t.same(last(`${container}.env`), { name: 'TZ', value: 'UTC' });
  t.same(last(`${container}.envFrom`), { secretRef: { name: 'more' } });
  t.same(last('spec.template.spec.volumes'), { name: 'more', emptyDir: {} });
  t.same(last(`${container}.volumeMounts`), { name: 'more', mountPath: '/more' });
});

test('pods are replaced when settings or credentials change, and only then', { skip }, async (t) => {
  const template = async (values: object) => {
    const release = await render(values);
    return [release.at('Deployment', 'spec.template'), release.at('StatefulSet', 'spec.template')];
  };
  const [server, redis] = await template({});
  t.same(await template({}), [server, redis], 'what is made at random changes nothing');
  t.same(await template({ service: { port: 8080 } }), [server, redis]);

  t.notMatch(server, { metadata: { labels: { 'helm.sh/chart': String } } }, 'nor does another version of the chart');

  const [withLog, redisWithLog] = await template({ config: { LOG_LEVEL: 'debug' } });
  t.not(part(withLog, 'metadata.annotations.checksum/config'), part(server, 'metadata.annotations.checksum/config'));
  t.same(redisWithLog, redis);
  const [withToken] = await template({ auth: { token: { value: 'another' } } });
  t.notSame(withToken, server);
  const [withPassword, redisWithPassword] = await template({ redis: { password: { value: 'another' } } });
  t.notSame(withPassword, server);
  t.notSame(redisWithPassword, redis);
  const [, redisWithConfig] = await template({ redis: { appendfsync: 'always' } });
  t.notSame(redisWithConfig, redis);
});

test('a number of pods that follows the load is not set anew by each upgrade', { skip }, async (t) => {
  t.equal((await render({ replicaCount: 3 })).at('Deployment', 'spec.replicas'), 3);
  const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
  const release = await render({ autoscaling: { enabled: true, maxReplicas: 9, behavior } });
  t.equal(release.at('Deployment', 'spec.replicas'), undefined);
  t.match(release.at('HorizontalPodAutoscaler', 'spec'), {
    scaleTargetRef: { kind: 'Deployment', name: 'frontdesk' },
    minReplicas: 2,
    maxReplicas: 9,
    metrics: [{ resource: { target: { averageUtilization: 70 } } }],
    behavior,
  });
});

test('a budget lets one pod be away, unless there is only one', { skip }, async (t) => {
  t.equal((await render()).at('PodDisruptionBudget', 'spec.maxUnavailable'), 1);
  t.equal(
    (await render({ podDisruptionBudget: { maxUnavailable: '50%' } })).at('PodDisruptionBudget', 'spec.maxUnavailable'),
    '50%',
  );
  t.equal((await render({ replicaCount: 1 })).find('PodDisruptionBudget'), undefined);
  t.equal((await render({ podDisruptionBudget: { enabled: false } })).find('PodDisruptionBudget'), undefined);
  const scaled = await render({ replicaCount: 5, autoscaling: { enabled: true, minReplicas: 1 } });
  t.equal(scaled.find('PodDisruptionBudget'), undefined);
});
