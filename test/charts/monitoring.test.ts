import tap, { test } from 'tap';
import { startApp } from '../app.ts';
import { define } from '../catalog/watching-app.ts';
import { skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { part, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
const everything = {
  monitoring: {
    serviceMonitor: { enabled: true, interval: '10s', labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    dashboard: { enabled: true, annotations: { folder: 'Platform' } },
  },
};

test('nothing that needs an operator of its own is installed unasked', { skip }, async (t) => {
  const { names } = await render();
  t.same(
    names.filter((name) => /Monitor|Rule|dashboard/.test(name)),
    [],
  );
});

test('a ServiceMonitor reads the metrics of the pods, and of nothing else', { skip }, async (t) => {
  const release = await render(everything);
  const { labels } = release.get('Service', 'frontdesk').metadata;
  const selector = release.at('ServiceMonitor', 'spec.selector.matchLabels');
  t.match(labels, selector);
  t.notMatch(release.get('Service', 'frontdesk-redis').metadata.labels, selector);
  t.match(release.at('ServiceMonitor', 'spec.endpoints'), [{ port: 'http', path: '/metrics', interval: '10s' }]);
  t.equal(release.get('ServiceMonitor').metadata.labels?.release, 'prometheus');
});

test('alerts are about this release, and each can be left out', { skip }, async (t) => {
  const names = (rules: unknown) => (Array.isArray(rules) ? rules.map((rule) => part(rule, 'alert')) : []);
  const rules = (await render(everything)).at('PrometheusRule', 'spec.groups.0.rules');
  const all = names(rules);
  t.ok(all.length > 5);
  t.equal(new Set(all).size, all.length);
  for (const rule of Array.isArray(rules) ? rules : []) {
    t.match(part(rule, 'expr'), /job="frontdesk",namespace="desk"/, String(part(rule, 'alert')));
    t.match(part(rule, 'labels.severity'), /^(critical|warning|info)$/);
    t.type(part(rule, 'annotations.summary'), 'string');
    t.type(part(rule, 'annotations.description'), 'string');
  }
  const disabled = all.slice(0, 2);
  const fewer = await render({ monitoring: { prometheusRule: { enabled: true, disabled } } });
  t.same(names(fewer.at('PrometheusRule', 'spec.groups.0.rules')), all.slice(2));
});

test('it is told in time that the Redis of the release is full', { skip }, async (t) => {
  const text = async (values: object) => (await render({ ...everything, ...values })).text;
  t.match(await text({ redis: { maxmemory: '1gb' } }), `> 0.85 * ${2 ** 30}`);
  t.match(await text({ redis: { maxmemory: '5m' } }), '> 0.85 * 5000000');
  const external = { redis: { enabled: false }, externalRedis: { url: 'redis://r.example' } };
  t.notMatch(await text(external), 'FrontdeskRedisAlmostFull', 'nobody knows how much one of yours may take');
});

test('the dashboard is a ConfigMap that the sidecar of Grafana takes', { skip }, async (t) => {
  const dashboard = (await render(everything)).get('ConfigMap', 'frontdesk-dashboard');
  t.equal(dashboard.metadata.labels?.grafana_dashboard, '1');
  t.match(dashboard.metadata.annotations, { folder: 'Platform' });
  t.match(JSON.parse(dashboard.data?.['frontdesk.json'] ?? ''), { title: 'Frontdesk' });
});

test('alerts and the dashboard ask for metrics that there are, with labels that these have', {
  skip: skip || skipWithoutKube,
}, async (t) => {
  const cluster = await startKubeApiServer(tap);
  await define(cluster);
  const app = await startApp(t, {
    CATALOG_SOURCES: 'kubernetes',
    KUBECONFIG: cluster.kubeconfig,
    STREAM_SEARCH_INDEX: 'idx',
  });
  const metrics = (await app.inject('/metrics')).body;
  const known = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  // Prometheus makes this one itself.
  known.add('up');
  const release = await render(everything);
  const text = release.text.replaceAll('\\"', '"');
  const asked = [...text.matchAll(/\b((?:frontdesk|nodejs|process)_[a-z0-9_]+|up)\{/g)].map(([, name = '']) => name);
  t.ok(asked.length > 20);
  for (const name of new Set(asked)) {
    const isKnown = known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));
    t.ok(isKnown, name);
  }
});
