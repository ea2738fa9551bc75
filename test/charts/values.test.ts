import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'tap';
import { parse } from 'yaml';
import { valuesSchema } from '../../hack/chart/values-schema.ts';
import { readConfig } from '../../src/read-config.ts';
import { credentialSources } from './credential-sources.ts';
import { chart, part, refusal, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
const values = parse(readFileSync(`${chart}/values.yaml`, 'utf8'));

/** Paths of all fields that a schema names. */
function named(schema: unknown, path: string[] = []): string[] {
  return Object.entries(part(schema, 'properties') ?? {}).flatMap(([name, inner]) => [
    [...path, name].join('.'),
    ...named(inner, [...path, name]),
  ]);
}

test('every value has a default and a place in the schema', async (t) => {
  for (const path of named(valuesSchema())) {
    if (!path.startsWith('config.')) t.not(part(values, path), undefined, path);
  }
  const known = new Set(named(valuesSchema()));
  for (const path of Object.keys(values)) t.ok(known.has(path), path);
});

const refused = [
  { what: 'a misspelt field', values: { replicacount: 3 }, says: /additional properties 'replicacount' not allowed/ },
  {
    what: 'a misspelt inner field',
    values: { redis: { persistance: {} } },
    says: /'\/redis': additional properties 'persistance'/,
  },
  { what: 'a word for a number', values: { replicaCount: 'two' }, says: /'\/replicaCount': got string, want integer/ },
  {
    what: 'an unknown setting',
    values: { config: { LOGLEVEL: 'info' } },
    says: /'\/config': additional properties 'LOGLEVEL'/,
  },
  {
    what: 'a setting that the chart makes',
    values: { config: { PORT: 80 } },
    says: /'\/config': additional properties 'PORT'/,
  },
  { what: 'a setting that is a credential', values: { config: { AUTH_TOKEN: 'x' } }, says: /'AUTH_TOKEN' not allowed/ },
  { what: 'a bad value of a setting', values: { config: { LOG_LEVEL: 'loud' } }, says: /'\/config\/LOG_LEVEL'/ },
  { what: 'a bad duration', values: { config: { STREAM_RETENTION: '7 days' } }, says: /'\/config\/STREAM_RETENTION'/ },
  { what: 'a number out of range', values: { config: { STREAM_MAXLEN: 0 } }, says: /'\/config\/STREAM_MAXLEN/ },
  { what: 'a credential with a space', values: { auth: { token: { value: 'a b' } } }, says: /'\/auth\/token\/value'/ },
  { what: 'a digest that is none', values: { image: { digest: 'latest' } }, says: /'\/image\/digest'/ },
  {
    what: 'a Redis with its password in the URL',
    values: { externalRedis: { url: 'redis://u:p@h' } },
    says: /'\/externalRedis\/url'/,
  },
  { what: 'a cache without a unit', values: { modules: { cacheSize: '256' } }, says: /'\/modules\/cacheSize'/ },
];
for (const { what, values, says } of refused) {
  test(`${what} is refused, with its path`, { skip }, async (t) => {
    t.match(await refusal(values), says);
  });
}

const settings = {
  none: {},
  many: {
    config: { STREAM_MAXLEN: 10_000_000, ALERT_DEDUP: '5m', CODEHOST_ALLOW_UNSIGNED: true, STREAM_ACK: 'fsync' },
  },
};
const files = readdirSync(`${chart}/ci`).map((name) => [name, parse(readFileSync(`${chart}/ci/${name}`, 'utf8'))]);
for (const [what, given] of [...Object.entries(settings), ...files]) {
  test(`the service takes the settings that the chart makes of its values: ${what}`, { skip }, async (t) => {
    const release = await render(given);
    const name = release.get('Deployment').metadata.name;
    const credentials = Object.keys(credentialSources(release));
    const config = readConfig({
      ...release.get('ConfigMap', name).data,
      ...Object.fromEntries(credentials.map((variable) => [variable, 'a-credential'])),
    });
    t.equal(config.PORT, 8080);
    for (const [variable, value] of Object.entries(given.config ?? {})) {
      if (typeof value !== 'string') t.equal(part(config, variable), value, variable);
    }
  });
}
