import { test } from 'tap';
import { credentialSources } from './credential-sources.ts';
import { container, refusal, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
test('Redis keeps every message in an append-only file on a volume, and refuses rather than drops', {
  skip,
}, async (t) => {
  const release = await render();
  const { data } = release.get('ConfigMap', 'frontdesk-redis');
  t.match(data, { 'redis.conf': /^appendonly yes$/m });
  t.match(data, { 'redis.conf': /^appendfsync everysec$/m });
  t.match(data, { 'redis.conf': /^maxmemory-policy noeviction$/m });
  t.match(release.at('StatefulSet', 'spec'), {
    replicas: 1,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' },
    volumeClaimTemplates: [{ spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '4Gi' } } } }],
  });
});

test('Redis takes its password from the environment, as its clients do', { skip }, async (t) => {
  const redis = (await render()).at('StatefulSet', container);
  t.match(redis, {
    args: ['--requirepass', '$(REDISCLI_AUTH)'],
    env: [{ name: 'REDISCLI_AUTH', valueFrom: { secretKeyRef: { name: 'frontdesk', key: 'redis-password' } } }],
  });
});

test('settings of Redis and of its volume are yours', { skip }, async (t) => {
  const release = await render({
    redis: {
      appendfsync: 'always',
      maxmemory: '1gb',
      extraConfig: 'hz 20\nlazyfree-lazy-expire yes',
      persistence: { size: '10Gi', storageClass: 'fast', annotations: { backup: 'daily' } },
    },
  });
  const { data } = release.get('ConfigMap', 'frontdesk-redis');
  for (const line of ['appendfsync always', 'maxmemory 1gb', 'hz 20', 'lazyfree-lazy-expire yes']) {
    t.match(data, { 'redis.conf': new RegExp(`^${line}$`, 'm') });
  }
  t.match(release.at('StatefulSet', 'spec.volumeClaimTemplates.0'), {
    metadata: { annotations: { backup: 'daily' } },
    spec: { storageClassName: 'fast', resources: { requests: { storage: '10Gi' } } },
  });
});

test('without persistence the data is in the pod', { skip }, async (t) => {
  const release = await render({ redis: { persistence: { enabled: false } } });
  t.equal(release.at('StatefulSet', 'spec.volumeClaimTemplates'), undefined);
  t.match(release.at('StatefulSet', 'spec.template.spec.volumes'), [{}, { name: 'data', emptyDir: {} }]);
});

const external = { redis: { enabled: false } };

test('a Redis of yours takes the place of the one of the release', { skip }, async (t) => {
  const url = 'rediss+sentinel://s0.example,s1.example:26380/mymaster';
  const credentials = { password: { value: 'p' }, sentinelPassword: { existingSecret: 'mine', key: 'sentinel' } };
  const release = await render({ ...external, externalRedis: { url, username: 'desk', ...credentials } });
  t.same(
    release.names.filter((name) => name.includes('redis')),
    [],
  );
  t.match(release.at('ConfigMap', 'data', 'frontdesk'), { STREAM_URL: url, STREAM_USERNAME: 'desk' });
  t.equal(release.at('ConfigMap', 'data.STREAM_ADDR', 'frontdesk'), undefined);
  t.match(credentialSources(release), {
    STREAM_PASSWORD: 'frontdesk/external-redis-password',
    STREAM_SENTINEL_PASSWORD: 'mine/sentinel',
  });
});

test('a Redis of yours without a password needs none', { skip }, async (t) => {
  const release = await render({ ...external, externalRedis: { url: 'redis://r.example' } });
  t.same(Object.keys(credentialSources(release)).sort(), ['AUTH_TOKEN', 'CODEHOST_WEBHOOK_SECRET']);
});

test('without any Redis nothing is installed, and it is told why', { skip }, async (t) => {
  t.match(await refusal(external), /externalRedis\.url: needed with redis\.enabled=false/);
});
