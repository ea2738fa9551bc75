import { test } from 'tap';
import { container, part, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;

test('the Service leads to the pods of the service, by the port of your choice', { skip }, async (t) => {
  const release = await render({ service: { type: 'NodePort', port: 8080, nodePort: 30080, annotations: { a: 'b' } } });
  t.match(release.at('Service', 'spec', 'frontdesk'), {
    type: 'NodePort',
    selector: { 'app.kubernetes.io/component': 'server' },
    ports: [{ name: 'http', port: 8080, targetPort: 'http', nodePort: 30080 }],
  });
  t.equal(release.at('Pod', 'spec.containers.0.env.0.value'), 'http://frontdesk:8080');
  t.equal((await render()).at('Service', 'spec.ports.0.nodePort', 'frontdesk'), undefined);
});

test('the Service of Redis leads to Redis alone', { skip }, async (t) => {
  const release = await render();
  t.match(release.at('Service', 'spec.selector', 'frontdesk-redis'), { 'app.kubernetes.io/component': 'redis' });
  t.match(release.at('StatefulSet', 'spec.template.metadata.labels'), { 'app.kubernetes.io/component': 'redis' });
  t.equal(release.at('StatefulSet', 'spec.serviceName'), 'frontdesk-redis');
});

test('an Ingress leads all its hosts and paths to the Service', { skip }, async (t) => {
  t.equal((await render()).find('Ingress'), undefined);
  const tls = [{ secretName: 'cert', hosts: ['a.example'] }];
  const hosts = [
    { host: 'a.example', paths: [{ path: '/', pathType: 'Prefix' }] },
    {
      host: 'b.example',
      paths: [
        { path: '/pitch', pathType: 'Exact' },
        { path: '/api', pathType: 'Prefix' },
      ],
    },
  ];
  const release = await render({ ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, hosts, tls } });
  const backend = { service: { name: 'frontdesk', port: { name: 'http' } } };
  t.same(release.at('Ingress', 'spec'), {
    ingressClassName: 'nginx',
    tls,
    rules: hosts.map(({ host, paths }) => ({ host, http: { paths: paths.map((path) => ({ ...path, backend })) } })),
  });
  t.same(release.get('Ingress').metadata.annotations, { a: 'b' });
});

test('an HTTPRoute leads from its gateways to the Service', { skip }, async (t) => {
  t.equal((await render()).find('HTTPRoute'), undefined);
  const matches = [{ path: { type: 'PathPrefix', value: '/desk' } }];
  const parentRefs = [{ name: 'public', namespace: 'gateways' }];
  const hostnames = ['a.example'];
  const release = await render({ service: { port: 81 }, httpRoute: { enabled: true, parentRefs, hostnames, matches } });
  t.same(release.at('HTTPRoute', 'spec'), {
    parentRefs,
    hostnames,
    rules: [{ matches, backendRefs: [{ name: 'frontdesk', port: 81 }] }],
  });
});

test('the pods are reached by HTTP alone, and reach names, Redis, the API server and registries', {
  skip,
}, async (t) => {
  const release = await render();
  t.same(release.at('NetworkPolicy', 'spec.policyTypes', 'frontdesk'), ['Ingress', 'Egress']);
  t.same(release.at('NetworkPolicy', 'spec.ingress', 'frontdesk'), [{ ports: [{ port: 'http' }] }]);
  t.match(release.at('NetworkPolicy', 'spec.egress', 'frontdesk'), [
    {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
    { ports: [{ port: 'redis' }], to: [{ podSelector: { matchLabels: { 'app.kubernetes.io/component': 'redis' } } }] },
    { ports: [{ port: 443 }, { port: 6443 }] },
  ]);
  t.equal(release.at('Deployment', `${container}.ports.0.name`), 'http');
  t.equal(release.at('StatefulSet', `${container}.ports.0.name`), 'redis');
});

test('Redis is reached by the pods of the service alone, and reaches nothing', { skip }, async (t) => {
  const release = await render();
  t.match(release.at('NetworkPolicy', 'spec', 'frontdesk-redis'), {
    podSelector: { matchLabels: { 'app.kubernetes.io/component': 'redis' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/component': 'server' } } }] }],
    egress: [],
  });
});

test('who may send requests, and where else the pods go, is yours to say', { skip }, async (t) => {
  const from = [{ namespaceSelector: { matchLabels: { team: 'ingress' } } }];
  const extra = [{ ports: [{ port: 3128 }] }];
  const release = await render({ networkPolicy: { ingress: { from }, egress: { ports: [443], extra } } });
  const policy = release.get('NetworkPolicy', 'frontdesk');
  t.match(part(policy, 'spec.ingress.0.from'), [...from, { podSelector: {} }], 'and the test of the release');
  t.match(part(policy, 'spec.egress.2.ports'), [{ port: 443 }]);
  t.match(part(policy, 'spec.egress.3'), extra[0]);
});

const urls = [
  { url: 'redis://r.example', ports: [6379] },
  { url: 'rediss://r.example:6380/2', ports: [6379, 6380] },
  { url: 'redis+sentinel://a.example,b.example:26380/main', ports: [6379, 26379, 26380] },
  { url: 'redis+cluster://a.example:7000,b.example:7001', ports: [6379, 7000, 7001] },
];
for (const { url, ports } of urls) {
  test(`the pods may reach the Redis at ${url}`, { skip }, async (t) => {
    const release = await render({ redis: { enabled: false }, externalRedis: { url } });
    t.same(release.at('NetworkPolicy', 'spec.egress.1', 'frontdesk'), { ports: ports.map((port) => ({ port })) });
  });
}

test('without policies there are none', { skip }, async (t) => {
  t.equal((await render({ networkPolicy: { enabled: false } })).find('NetworkPolicy'), undefined);
});
