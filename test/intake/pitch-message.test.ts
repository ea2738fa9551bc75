import fc from 'fast-check';
import { test } from 'tap';
import { pitchMessage } from '../../src/intake/pitch-message.ts';
import { severities } from '../../src/messages/message.ts';
import { now, nowIso } from './now.ts';

const name = 'nightly-backup';

test('a pitch whose payload fills every field becomes a record of those fields', async (t) => {
  const payload = {
    title: 'Backup done',
    message: '12 GiB in 3 m',
    severity: 'success',
    timestamp: '2026-11-20T10:14:22+02:00',
    system: 'backup',
    url: 'https://backup.example.com/runs/7',
    tags: ['nightly', 'eu-1'],
    extra: { kept: true },
  };
  t.strictSame(pitchMessage({ name, repository: 'acme/backup', payload }, now), {
    title: 'Backup done',
    message: '12 GiB in 3 m',
    severity: 'success',
    timestamp: '2026-11-20T10:14:22+02:00',
    system: 'backup',
    url: 'https://backup.example.com/runs/7',
    tags: 'nightly,eu-1',
    source: 'pitch',
    name,
    repository: 'acme/backup',
    payload: JSON.stringify(payload),
  });
});

test('an empty payload becomes a record made of name and now', async (t) => {
  t.strictSame(pitchMessage({ name, payload: {} }, now), {
    title: name,
    message: '{}',
    severity: 'info',
    timestamp: nowIso,
    system: name,
    url: '',
    tags: '',
    source: 'pitch',
    name,
    repository: '',
    payload: '{}',
  });
});

test('the system is the payload’s, else the repository, else the name', async (t) => {
  const repository = 'acme/backup';
  t.equal(pitchMessage({ name, repository, payload: { system: 'db' } }, now).system, 'db');
  t.equal(pitchMessage({ name, repository, payload: { system: '' } }, now).system, repository);
  t.equal(pitchMessage({ name, repository: '', payload: {} }, now).system, name);
});

test('a long system is cut in the record and whole in the payload', async (t) => {
  const system = 's'.repeat(1000);
  const message = pitchMessage({ name, payload: { system } }, now);
  t.equal(message.system, 's'.repeat(256));
  t.match(message.payload, system);
});

const severityOf = [
  ['critical', 'critical'],
  ['Error', 'error'],
  ['WARNING', 'warning'],
  ['success', 'success'],
  ['fatal', 'info'],
  ['', 'info'],
  [3, 'info'],
] as const;
for (const [severity, expected] of severityOf) {
  test(`the severity ${JSON.stringify(severity)} means ${expected}`, async (t) => {
    t.equal(pitchMessage({ name, payload: { severity } }, now).severity, expected);
  });
}

const tagsOf: [unknown, string][] = [
  ['a,b', 'a,b'],
  [['a', 'b'], 'a,b'],
  [['a', 1, null, '', 'b'], 'a,b'],
  [{ a: 'b' }, ''],
  [7, ''],
];
for (const [tags, expected] of tagsOf) {
  test(`the tags ${JSON.stringify(tags)} are the list "${expected}"`, async (t) => {
    t.equal(pitchMessage({ name, payload: { tags } }, now).tags, expected);
  });
}

test('a field of the wrong kind counts as not given', async (t) => {
  const payload = { title: 5, message: {}, timestamp: 7, system: [], url: null };
  t.match(pitchMessage({ name, payload }, now), {
    title: name,
    message: JSON.stringify(payload),
    timestamp: nowIso,
    system: name,
    url: '',
  });
});

test('any payload maps to strings and a known severity, and is kept whole', async () => {
  const field = fc.oneof(fc.jsonValue(), fc.string(), fc.constantFrom<string>(...severities));
  const keys = fc.constantFrom('title', 'message', 'severity', 'timestamp', 'system', 'url', 'tags', 'x');
  fc.assert(
    fc.property(fc.dictionary(keys, field), (payload) => {
      const message = pitchMessage({ name, payload }, now);
      return (
        Object.values(message).every((value) => typeof value === 'string') &&
        severities.includes(message.severity) &&
        message.title !== '' &&
        message.payload === JSON.stringify(payload)
      );
    }),
  );
});
