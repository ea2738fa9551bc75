import { test } from 'tap';
import { ConfigError, readConfig } from '../../../src/read-config.ts';

/** Settings that do not go together, and the variable that is named for it. */
const wrong: [problem: string, variable: string, env: Record<string, string>][] = [
  ['two servers', 'STREAM_ADDR', { STREAM_ADDR: 'redis', STREAM_URL: 'redis://redis' }],
  ['a port in the address', 'STREAM_ADDR', { STREAM_ADDR: 'redis:6379' }],
  ['a URL as the address', 'STREAM_ADDR', { STREAM_ADDR: 'redis://redis' }],
  ['a URL that is none', 'STREAM_URL', { STREAM_URL: 'redis' }],
  ['a user of no server', 'STREAM_USERNAME', { STREAM_USERNAME: 'me' }],
  ['a password of no server', 'STREAM_PASSWORD', { STREAM_PASSWORD: 'secret' }],
  ['an authority of no server', 'STREAM_TLS_CA', { STREAM_TLS_CA: 'ca.crt' }],
  ['a password of no sentinel', 'STREAM_SENTINEL_PASSWORD', { STREAM_SENTINEL_PASSWORD: 'secret' }],
  ['an acknowledgement that the embedded store has not', 'STREAM_ACK', { STREAM_ACK: 'replica:1' }],
  ['two users', 'STREAM_USERNAME', { STREAM_URL: 'redis://me@redis', STREAM_USERNAME: 'me' }],
  ['two passwords', 'STREAM_PASSWORD', { STREAM_URL: 'redis://:secret@redis', STREAM_PASSWORD: 'secret' }],
  ['an authority without TLS', 'STREAM_TLS_CA', { STREAM_URL: 'redis://redis', STREAM_TLS_CA: 'ca.crt' }],
  ['an authority without TLS', 'STREAM_TLS_CA', { STREAM_ADDR: 'redis', STREAM_TLS_CA: 'ca.crt' }],
  [
    'a password of sentinels without any',
    'STREAM_SENTINEL_PASSWORD',
    { STREAM_URL: 'redis://redis', STREAM_SENTINEL_PASSWORD: 'secret' },
  ],
  ['two hash tags', 'STREAM_NAME', { STREAM_ADDR: 'redis', STREAM_NAME: '{a}{b}' }],
  ['an empty hash tag', 'STREAM_NAME', { STREAM_ADDR: 'redis', STREAM_NAME: '{}messages' }],
  ['half a hash tag', 'STREAM_NAME', { STREAM_ADDR: 'redis', STREAM_NAME: 'a}b' }],
];

for (const [problem, variable, env] of wrong) {
  test(`${problem}: the start ends, naming ${variable}`, (t) => {
    const problems = problemsOf(env);
    t.equal(problems.length, 1);
    t.match(problems[0], new RegExp(`^${variable}: `));
    t.notMatch(problems.join('\n'), /secret/);
    t.end();
  });
}

test('all problems of a URL and beside it are told at once', (t) => {
  const env = { STREAM_ADDR: 'redis:1', STREAM_URL: 'redis://:secret@a b', STREAM_NAME: '{' };
  t.match(problemsOf(env), [/^STREAM_URL: /, /^STREAM_ADDR: /, /^STREAM_NAME: /]);
  t.notMatch(problemsOf(env).join('\n'), /secret/);
  t.end();
});

test('settings that go together are taken', (t) => {
  const right: Record<string, string>[] = [
    {},
    { STREAM_ACK: 'fsync', STREAM_NAME: 'a}{b' },
    { STREAM_ADDR: 'redis', STREAM_PORT: '7000', STREAM_PASSWORD: 'secret', STREAM_USERNAME: 'me' },
    { STREAM_ADDR: '::1', STREAM_NAME: '{team}-messages', STREAM_ACK: 'replica:2' },
    { STREAM_URL: 'rediss://redis', STREAM_TLS_CA: 'ca.crt', STREAM_PASSWORD: 'secret' },
    { STREAM_URL: 'redis+sentinel://:secret@a,b/main', STREAM_SENTINEL_PASSWORD: 'secret' },
  ];
  for (const env of right) t.same(problemsOf(env), [], JSON.stringify(env));
  t.end();
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ AUTH_TOKEN: 'token', ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
