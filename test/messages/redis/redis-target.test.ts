import { test } from 'tap';
import { parseStreamUrl, type RedisTarget, readTarget } from '../../../src/messages/redis/redis-target.ts';

test('a URL names one server, sentinels and what they watch, or nodes of a cluster', (t) => {
  const known: [url: string, target: RedisTarget][] = [
    ['redis://redis', { kind: 'standalone', host: 'redis', port: 6379, db: 0 }],
    ['redis://redis:7000/3', { kind: 'standalone', host: 'redis', port: 7000, db: 3 }],
    ['redis://redis/', { kind: 'standalone', host: 'redis', port: 6379, db: 0 }],
    ['redis://[::1]:7000', { kind: 'standalone', host: '::1', port: 7000, db: 0 }],
    ['rediss://10.0.0.1', { kind: 'standalone', host: '10.0.0.1', port: 6379, db: 0, tls: {} }],
    ['redis://:p%40ss@redis', { kind: 'standalone', host: 'redis', port: 6379, db: 0, password: 'p@ss' }],
    ['redis://me@redis', { kind: 'standalone', host: 'redis', port: 6379, db: 0, username: 'me' }],
    ['redis://me:a:b@redis', { kind: 'standalone', host: 'redis', port: 6379, db: 0, username: 'me', password: 'a:b' }],
    [
      'redis+sentinel://me:secret@a,b:26380,[::1]/main/2',
      {
        kind: 'sentinel',
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 26_380 },
          { host: '::1', port: 26_379 },
        ],
        name: 'main',
        db: 2,
        username: 'me',
        password: 'secret',
      },
    ],
    [
      'rediss+cluster://a,b:7001',
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7001 },
        ],
        tls: {},
      },
    ],
  ];
  for (const [url, target] of known) t.same(parseStreamUrl(url), target, url);
  t.end();
});

test('a URL that is wrong is refused with what is wrong', (t) => {
  const wrong: [url: string, reason: RegExp][] = [
    ['redis', /must begin with redis:\/\//],
    ['http://redis', /must begin with redis:\/\//],
    ['redis+replica://redis', /must begin with redis:\/\//],
    ['redis://', /the host is missing/],
    ['redis://a,b', /one host without/],
    ['redis://a_b!', /must be a host name/],
    ['redis://[a]', /must be a host name/],
    ['redis://::1', /must be a host name|the port/],
    ['redis://a:0', /port of the host must be from 1 to 65535/],
    ['redis://a:65536', /port of the host must be from 1 to 65535/],
    ['redis://a:', /port of the host must be from 1 to 65535/],
    ['redis://a/16', /database number from 0 to 15/],
    ['redis://a/main', /database number from 0 to 15/],
    ['redis://a?db=1', /no query or fragment/],
    ['redis://p@ss@a', /percent-encoded/],
    ['redis://:%ff@a', /percent-encoded UTF-8/],
    ['redis+sentinel://a,b', /what the sentinels call the master/],
    ['redis+sentinel://a,,b/main', /host 2 is missing/],
    ['redis+sentinel://a/main/x', /database number/],
    ['redis+cluster://a/1', /database 0 only/],
    [`redis+cluster://${Array(33).fill('a').join(',')}`, /more than 32 hosts/],
  ];
  for (const [url, reason] of wrong) t.throws(() => parseStreamUrl(url), { message: reason }, url);
  t.end();
});

test('the variables name one server, and add to a URL what it has not', (t) => {
  const port = { STREAM_PORT: 7000 };
  const ofUrl = { STREAM_USERNAME: 'me', STREAM_PASSWORD: 'secret' };
  t.equal(readTarget(port), undefined, 'none of them: the embedded store');
  t.same(readTarget({ ...port, STREAM_ADDR: 'redis', STREAM_PASSWORD: 'secret' }), {
    kind: 'standalone',
    host: 'redis',
    port: 7000,
    db: 0,
    password: 'secret',
  });
  t.same(readTarget({ ...port, ...ofUrl, STREAM_URL: 'rediss://redis:1/2', STREAM_TLS_CA: 'ca.crt' }), {
    kind: 'standalone',
    host: 'redis',
    port: 1,
    db: 2,
    username: 'me',
    password: 'secret',
    tls: { caFile: 'ca.crt' },
  });
  t.match(readTarget({ ...port, STREAM_URL: 'redis+sentinel://a/main', STREAM_SENTINEL_PASSWORD: 'secret' }), {
    sentinelPassword: 'secret',
    password: undefined,
  });
  t.end();
});
