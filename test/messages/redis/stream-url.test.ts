import fc from 'fast-check';
import { test } from 'tap';
import { parseStreamUrl, type RedisTarget } from '../../../src/messages/redis/redis-target.ts';
import { reasonOf } from '../../../src/reason-of.ts';

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const host = fc.oneof(label, fc.ipV4(), fc.ipV6());
const port = fc.integer({ min: 1, max: 65_535 });
const hosts = fc.array(fc.record({ host, port }), { minLength: 1, maxLength: 5 });
const db = fc.integer({ min: 0, max: 15 });
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const access = fc.record({ username: text, password: text, tls: fc.constant({}) }, { requiredKeys: [] });
const target: fc.Arbitrary<RedisTarget> = fc.oneof(
  fc
    .tuple(access, fc.record({ host, port, db }))
    .map(([ofAll, of]) => ({ ...ofAll, ...of, kind: 'standalone' as const })),
  fc
    .tuple(access, hosts, label, db)
    .map(([ofAll, sentinels, name, db]) => ({ ...ofAll, sentinels, name, db, kind: 'sentinel' as const })),
  fc.tuple(access, hosts).map(([ofAll, nodes]) => ({ ...ofAll, nodes, kind: 'cluster' as const })),
);

test('what is written as a URL comes back, whatever user and password are', (t) => {
  fc.assert(
    fc.property(target, (written) => {
      t.same(parseStreamUrl(urlOf(written)), written);
    }),
  );
  t.end();
});

test('no error repeats anything of a password, wherever it stands', (t) => {
  const secret = 'sEcReT';
  const part = fc.oneof(
    fc.constantFrom(
      'redis',
      'rediss',
      '+sentinel',
      '+cluster',
      '://',
      ':',
      '@',
      '/',
      '?',
      '#',
      ',',
      '[',
      ']',
      '%',
      '%f',
    ),
    fc.constant(secret),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('', 'redis://', 'redis+sentinel://', 'rediss+cluster://'),
      fc.array(part),
      (start, parts) => {
        try {
          parseStreamUrl(`${start}${parts.join('')}`);
        } catch (error) {
          t.notMatch(reasonOf(error), secret);
        }
      },
    ),
    { numRuns: 2000 },
  );
  t.end();
});

function urlOf(target: RedisTarget): string {
  const { kind, username = '', password, tls } = target;
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const userinfo = `${encodeURIComponent(username)}${secret}@`;
  const scheme = `redis${tls ? 's' : ''}${kind === 'standalone' ? '' : `+${kind}`}`;
  return `${scheme}://${userinfo === '@' ? '' : userinfo}${placeOf(target)}`;
}

function placeOf(target: RedisTarget): string {
  switch (target.kind) {
    case 'standalone':
      return `${hostsOf([target])}/${target.db}`;
    case 'sentinel':
      return `${hostsOf(target.sentinels)}/${target.name}/${target.db}`;
    case 'cluster':
      return hostsOf(target.nodes);
  }
}

function hostsOf(endpoints: readonly { host: string; port: number }[]): string {
  return endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
}
