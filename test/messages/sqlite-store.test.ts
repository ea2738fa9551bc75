import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'tap';
import { formatEntryId } from '../../src/messages/entry-id.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/messages/sqlite-store.ts';
import { MAX_SYSTEMS, overflowSystem } from '../../src/messages/windowed-counts.ts';
import { storeContract } from './message-store.contract.ts';
import { someMessage } from './some-message.ts';

const log = { error: () => undefined };

function options(dataDir: string, changes: Partial<SqliteStoreOptions> = {}): SqliteStoreOptions {
  const retention = { maxLength: 1000, maxAgeMs: 3_600_000 };
  return {
    dataDir,
    stream: 'messages',
    searchIndex: undefined,
    retention,
    timeoutMs: 200,
    clock: Date.now,
    log,
    ...changes,
  };
}

let opened = 0;
storeContract('sqlite', async (t, { clock, maxLength, maxAgeMs, searchIndex }) => {
  const dataDir = join(t.testdir(), String(opened++));
  const store = openSqliteStore(options(dataDir, { clock, searchIndex, retention: { maxLength, maxAgeMs } }));
  const db = new DatabaseSync(join(dataDir, 'messages.db'), { readOnly: true });
  t.teardown(async () => {
    db.close();
    await store.close();
  });
  return {
    store,
    entries: async () =>
      db
        .prepare('SELECT * FROM frontdesk_messages ORDER BY id')
        .all()
        .map(({ id, ...fields }) => ({ ...(fields as Record<string, string>), id: formatEntryId(Number(id)) })),
    finds: async (word) =>
      db
        .prepare(`SELECT rowid FROM "${searchIndex}" WHERE "${searchIndex}" MATCH ?`)
        .all(word)
        .map(({ rowid }) => formatEntryId(Number(rowid))),
  };
});

test('messages, counts and idempotency keys are there again after a restart, and ids go on increasing', async (t) => {
  const dataDir = t.testdir();
  const message = someMessage({ once: { key: 'k', ttlMs: 60_000 } });
  const first = openSqliteStore(options(dataDir, { clock: () => 2_000_000 }));
  const [before] = await first.append([message]);
  await first.close();

  const second = openSqliteStore(options(dataDir, { clock: () => 1_000_000 }));
  t.teardown(() => second.close());
  t.match(await second.append([message]), [{ ...before, duplicate: true }]);
  t.match(await second.append([someMessage()]), [{ ok: true, id: '2000000-1' }]);
  t.match(await second.counts('all'), [{ system: 'node-3', severity: 'warning', count: 2 }]);
});

test('two processes on one file give every message its own id', async (t) => {
  const dataDir = t.testdir();
  const stores = [openSqliteStore(options(dataDir)), openSqliteStore(options(dataDir))];
  t.teardown(() => Promise.all(stores.map((store) => store.close())));
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => stores[i % 2]?.append([someMessage()]) ?? Promise.resolve([])),
  );
  const ids = results.flat().map((result) => (result.ok ? result.id : result.reason));
  t.equal(new Set(ids).size, 40);
  t.ok(ids.every((id) => /^\d+-\d+$/.test(id)));
});

test('a locked database fails messages within the time limit, shows as not ready, and recovers by itself', async (t) => {
  const dataDir = t.testdir();
  const store = openSqliteStore(options(dataDir));
  t.teardown(() => store.close());
  const other = new DatabaseSync(join(dataDir, 'messages.db'));
  other.exec('BEGIN IMMEDIATE');
  t.match(await store.append([someMessage(), someMessage()]), [
    { ok: false, reason: /locked/ },
    { ok: false, reason: /locked/ },
  ]);
  t.match(await store.status(), { ready: false, details: { reason: /locked/ } });
  other.exec('ROLLBACK');
  other.close();
  t.match(await store.status(), { ready: true });
  t.match(await store.append([someMessage()]), [{ ok: true }]);
});

test('a lock that goes away in time fails nothing', async (t) => {
  const dataDir = t.testdir();
  const store = openSqliteStore(options(dataDir, { timeoutMs: 10_000 }));
  t.teardown(() => store.close());
  const other = new DatabaseSync(join(dataDir, 'messages.db'));
  other.exec('BEGIN IMMEDIATE');
  const appended = store.append([someMessage()]);
  setTimeout(() => other.close(), 50);
  t.match(await appended, [{ ok: true }]);
});

test('messages beyond what may wait are refused, and those before them are kept', async (t) => {
  const store = openSqliteStore(options(t.testdir()));
  t.teardown(() => store.close());
  const large = someMessage({ payload: JSON.stringify('x'.repeat(40_000_000)) });
  const [first, second] = await Promise.all([store.append([large]), store.append([large])]);
  t.match(first, [{ ok: true }]);
  t.match(second, [{ ok: false, reason: /too many messages are waiting/ }]);
  t.match(await store.append([someMessage()]), [{ ok: true }], 'room again');
});

test('a search index that is new is filled from the stream; one that is gone from the configuration is dropped', async (t) => {
  const dataDir = t.testdir();
  for (const searchIndex of [undefined, 'one', 'one', 'two:b.c-d', undefined]) {
    const store = openSqliteStore(options(dataDir, { searchIndex }));
    await store.append([someMessage({ title: 'walrus' })]);
    await store.close();
    const db = new DatabaseSync(join(dataDir, 'messages.db'));
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'`).all();
    t.same(
      tables.map(({ name }) => name),
      searchIndex === undefined ? [] : [searchIndex],
    );
    if (searchIndex !== undefined) {
      const messages = db.prepare('SELECT count(*) AS n FROM frontdesk_messages').get();
      const found = db
        .prepare(`SELECT count(*) AS n FROM "${searchIndex}" WHERE "${searchIndex}" MATCH 'walrus'`)
        .get();
      t.same(found, messages, 'every message is in the index');
    }
    db.close();
  }
});

test('a search index that breaks costs no message; it is reported and made anew at the next start', async (t) => {
  const dataDir = t.testdir();
  const store = openSqliteStore(options(dataDir, { searchIndex: 'idx' }));
  const other = new DatabaseSync(join(dataDir, 'messages.db'));
  other.exec('DROP TABLE idx');
  t.match(await store.append([someMessage({ title: 'walrus' })]), [{ ok: true }]);
  t.match(await store.status(), { ready: true, details: { searchIndex: /idx: off until the next start/ } });
  await store.close();
  const again = openSqliteStore(options(dataDir, { searchIndex: 'idx' }));
  t.match(await again.status(), { ready: true, details: { searchIndex: 'idx' } });
  t.match(other.prepare(`SELECT count(*) AS n FROM idx WHERE idx MATCH 'walrus'`).get(), { n: 1 });
  other.close();
  await again.close();
});

test('systems beyond the limit are counted together, and that is reported', async (t) => {
  const store = openSqliteStore(options(t.testdir()));
  t.teardown(() => store.close());
  await store.append(Array.from({ length: MAX_SYSTEMS }, (_, i) => someMessage({ system: `s${i}` })));
  await store.append([someMessage({ system: 's0' }), someMessage({ system: 'x' }), someMessage({ system: 'y' })]);
  const counts = await store.counts('all');
  t.equal(counts.length, MAX_SYSTEMS + 1);
  t.match(
    counts.find(({ system }) => system === overflowSystem),
    { count: 2 },
  );
  t.match(
    counts.find(({ system }) => system === 's0'),
    { count: 2 },
  );
  t.match(await store.status(), { ready: true, details: { countedAsOther: 2 } });
});

test('a stream name of any kind becomes one file in the data folder', async (t) => {
  const dataDir = t.testdir();
  const store = openSqliteStore(options(dataDir, { stream: '../{a}/b:c' }));
  await store.append([someMessage()]);
  await store.close();
  const db = new DatabaseSync(join(dataDir, `${encodeURIComponent('../{a}/b:c')}.db`), { readOnly: true });
  t.match(db.prepare('SELECT count(*) AS n FROM frontdesk_messages').get(), { n: 1 });
  db.close();
});

test('a file that is no database ends the opening with an error, and is left as it was', (t) => {
  const dataDir = t.testdir({ 'messages.db': 'this is no database, but somebody needs it' });
  t.throws(() => openSqliteStore(options(dataDir)), /not a database/);
  t.end();
});
