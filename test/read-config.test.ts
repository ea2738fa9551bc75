import { test } from 'tap';
import { ConfigSchema } from '../src/config.ts';
import { ConfigError, readConfig } from '../src/read-config.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('the defaults of the specification hold where a variable is not set, or empty', (t) => {
  const expected = {
    PORT: 8080,
    STREAM_NAME: 'messages',
    STREAM_PORT: 6379,
    MAX_BODY_BYTES: 1_048_576,
    CLAIMS_AUTH: 'none',
  };
  t.match(readConfig({ AUTH_TOKEN: 'a' }), expected);
  t.match(readConfig({ AUTH_TOKEN: 'a', PORT: '', STREAM_NAME: '', STREAM_SEARCH_INDEX: '' }), expected);
  t.notOk('STREAM_SEARCH_INDEX' in readConfig({ AUTH_TOKEN: 'a', STREAM_SEARCH_INDEX: '' }));
  t.end();
});

test('values are read as what they are: numbers, flags, durations', (t) => {
  const env = {
    AUTH_TOKEN: 'a',
    PORT: '0',
    CODEHOST_ALLOW_UNSIGNED: 'true',
    ALERT_DEDUP: '1h30m',
    STREAM_TIMEOUT: '250ms',
  };
  t.match(readConfig(env), { PORT: 0, CODEHOST_ALLOW_UNSIGNED: true, ALERT_DEDUP: 5_400_000, STREAM_TIMEOUT: 250 });
  t.end();
});

test('every bad value is a problem that names its variable', (t) => {
  const bad: Record<string, string[]> = {
    AUTH_TOKEN: ['', 'with space', 'ümlaut', 'line\nbreak'],
    PORT: ['http', '-1', '65536', '80.5', '8080abc'],
    LOG_LEVEL: ['loud'],
    MAX_BODY_BYTES: ['0', '1e12', '1MiB'],
    SHUTDOWN_DELAY: ['5', '-1s', '11m'],
    SHUTDOWN_TIMEOUT: ['5', '0', '-1s', '2d'],
    STREAM_NAME: ['with space', 'x'.repeat(129)],
    STREAM_SEARCH_INDEX: ['frontdesk_messages', 'sqlite_master', '1st', 'a b', 'a"b'],
    STREAM_MAXLEN: ['0', 'many'],
    STREAM_RETENTION: ['1s', 'forever'],
    STREAM_ACK: ['disk', 'replica:0', 'memory'],
    CODEHOST_ALLOW_UNSIGNED: ['yes', '2'],
    CODEHOST_WEBHOOK_SECRET_PREVIOUS: ['a secret without its successor'],
    CLAIMS_AUTH: ['some'],
    ERROR_SHAPE: ['xml'],
    CATALOG_SOURCES: ['git', 'folder,folder'],
    STREAM_ADDR: ['redis:6379', 'redis://redis'],
    STREAM_URL: ['redis', 'redis+sentinel://a,b', 'redis://a?db=1'],
    STREAM_USERNAME: ['somebody'],
    STREAM_TLS_CA: ['ca.crt'],
    STREAM_SENTINEL_PASSWORD: ['secret'],
    WATCH_NAMESPACES: ['*', 'a,*', 'A'],
    MODULE_TIMEOUT: ['0', '1h', '15'],
    MODULE_STALE_OK: ['-1h', '1d'],
    MODULE_CACHE_BYTES: ['0', '1GiB'],
    MODULE_MIRRORS: ['a', 'a=', 'a=b,', 'a=https://b', 'A=b', 'a=b c=d'],
    MODULE_PLAIN_HTTP: ['http://a', 'a,', 'a:b', 'A'],
    HTTPS_PROXY: ['proxy:3128', 'socks5://proxy'],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const problems = problemsOf({ AUTH_TOKEN: 'a', [name]: value });
      t.equal(problems.length, 1, `${name}=${value}`);
      t.match(problems[0], new RegExp(`^${name}\\b`));
    }
  }
  t.end();
});

test('all problems are told at once, and no secret is', (t) => {
  const problems = problemsOf({ AUTH_TOKEN: 'my secret', PORT: 'x', LOG_LEVEL: 'y', STREAM_MAXLEN: 'z' });
  t.equal(problems.length, 4);
  t.notMatch(problems.join('\n'), /my secret/);
  t.end();
});

test('every variable has a description, and every default passes its own rules', (t) => {
  for (const [name, { description }] of Object.entries(ConfigSchema.properties)) t.ok(description, name);
  t.same(problemsOf({ AUTH_TOKEN: 'a' }), []);
  t.end();
});
