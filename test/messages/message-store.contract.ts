import fc from 'fast-check';
import { type Test, test } from 'tap';
import { severities } from '../../src/messages/message.ts';
import type { AppendResult, Count, MessageStore } from '../../src/messages/message-store.ts';
import { someMessage } from './some-message.ts';

/** One store under test, and what only its adapter can tell. */
export interface StoreUnderTest {
  store: MessageStore;
  /** All entries of the stream, oldest first, read past the store by a client of its own. */
  entries(): Promise<(Record<string, string> & { id: string })[]>;
  /** Whether an entry with this id is found by a full-text query for `word`. */
  finds(word: string): Promise<string[]>;
}

export interface StoreSettings {
  clock: () => number;
  maxLength: number;
  maxAgeMs: number;
  searchIndex: string | undefined;
}

export type OpenStore = (t: Test, settings: StoreSettings) => Promise<StoreUnderTest>;

const start = Date.UTC(2026, 10, 21, 10, 30, 20);
const minute = 60_000;
const hour = 60 * minute;

/**
 * What every `MessageStore` must do. `open` gives an empty store each time.
 * @param noSearch why the store cannot be searched here, if it cannot
 */
export function storeContract(adapter: string, open: OpenStore, noSearch?: string): void {
  const behaviour = (name: string, run: (t: Test, use: UseStore) => Promise<void>, skip: string | false = false) =>
    test(`${adapter}: ${name}`, { skip }, (t) => run(t, (settings) => openAt(t, open, settings)));

  behaviour('an appended message stands in the stream with every field', async (t, use) => {
    const { store, entries } = await use();
    const [result] = await store.append([someMessage()]);
    const { once: _, ...fields } = someMessage();
    t.match(await entries(), [{ ...fields, id: idOf(result) }]);
  });

  behaviour(
    'ids have the form milliseconds-sequence and strictly increase, also when the clock goes back',
    async (t, use) => {
      const { store, time } = await use();
      const ids: string[] = [];
      for (const now of [start, start, start + 5, start - hour, start + 5]) {
        time.now = now;
        ids.push(...idsOf(await store.append([someMessage(), someMessage()])));
      }
      for (const id of ids) t.match(id, /^\d+-\d+$/);
      for (const [i, id] of ids.entries())
        if (i > 0) t.ok(compareIds(ids[i - 1] ?? '', id) < 0, `${ids[i - 1]} < ${id}`);
    },
  );

  behaviour('concurrent appends all get their own id, and their results in their own order', async (t, use) => {
    const { store, entries } = await use();
    const batches = Array.from({ length: 50 }, (_, i) => [`a${i}`, `b${i}`].map((title) => someMessage({ title })));
    const results = await Promise.all(batches.map((batch) => store.append(batch)));
    const titles = new Map((await entries()).map(({ id, title }) => [id, title]));
    t.equal(titles.size, 100);
    t.same(
      results.map((result) => idsOf(result).map((id) => titles.get(id))),
      batches.map((batch) => batch.map(({ title }) => title)),
    );
  });

  behaviour('an empty append is answered with no results', async (t, use) => {
    const { store } = await use();
    t.same(await store.append([]), []);
  });

  behaviour('text of any kind is kept as it is', async (t, use) => {
    const { store, entries } = await use();
    const texts = ['', '\u0000', "'; DROP TABLE x; --", '🎲 ümläut\n\ttab', 'x'.repeat(100_000)];
    await store.append(texts.map((title) => someMessage({ title })));
    t.same(
      (await entries()).map(({ title }) => title),
      texts,
    );
  });

  behaviour(
    'an equal idempotency key finds the first entry, also within one append and among concurrent ones',
    async (t, use) => {
      const { store, entries } = await use();
      const message = someMessage({ once: { key: 'k', ttlMs: hour } });
      const results = (await Promise.all([store.append([message, message]), store.append([message])])).flat();
      results.push(...(await store.append([message])));
      t.equal(new Set(idsOf(results)).size, 1);
      t.same(results.map((result) => result.ok && result.duplicate).sort(), [false, true, true, true]);
      t.equal((await entries()).length, 1);
      t.same(total(await store.counts('all')), 1, 'a duplicate is not counted');
    },
  );

  behaviour('an idempotency key is forgotten after its time', async (t, use) => {
    const { store, time, entries } = await use();
    const message = someMessage({ once: { key: 'k', ttlMs: hour } });
    await store.append([message]);
    time.now += hour - 1;
    t.match(await store.append([message]), [{ duplicate: true }]);
    time.now += 1;
    t.match(await store.append([message]), [{ duplicate: false }]);
    t.equal((await entries()).length, 2);
  });

  behaviour('the stream keeps at most its length, the newest', async (t, use) => {
    const { store, entries } = await use({ maxLength: 10 });
    for (let i = 0; i < 25; i++) await store.append([someMessage({ title: String(i) })]);
    t.same(
      (await entries()).map(({ title }) => title),
      Array.from({ length: 10 }, (_, i) => String(15 + i)),
    );
    t.equal(total(await store.counts('all')), 25, 'counts are not trimmed');
  });

  behaviour('messages older than the retention are dropped', async (t, use) => {
    const { store, time, entries } = await use({ maxAgeMs: hour });
    await store.append([someMessage({ title: 'old' })]);
    time.now += hour + minute;
    await store.append([someMessage({ title: 'new' })]);
    t.same(
      (await entries()).map(({ title }) => title),
      ['new'],
    );
    t.equal(total(await store.counts('all')), 2, 'counts are not trimmed');
  });

  behaviour('counts of a window equal a recount of the stream, for any times and windows', async (t, use) => {
    const message = fc.record({
      after: fc.integer({ min: 0, max: 3 * hour }),
      system: fc.constantFrom('a', 'b', '', '__proto__', 'ü'),
      severity: fc.constantFrom(...severities),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 40 }),
        fc.integer({ min: 0, max: 8 * hour }),
        async (messages, back) => {
          const { store, time, entries } = await use();
          for (const { after, system, severity } of messages) {
            time.now += after;
            await store.append([someMessage({ system, severity })]);
          }
          const since = time.now - back;
          const inWindow = (await entries()).filter(({ id }) => timeOf(id) >= Math.floor(since / minute) * minute);
          t.same(sorted(await store.counts(since)), recount(inWindow));
          t.same(sorted(await store.counts('all')), recount(await entries()));
        },
      ),
      { numRuns: 25 },
    );
  });

  behaviour('a message counts at the time of its entry, not the time its sender claims', async (t, use) => {
    const { store, time } = await use();
    await store.append([someMessage({ timestamp: '1999-01-01T00:00:00.000Z' })]);
    t.equal(total(await store.counts(time.now - minute)), 1);
  });

  behaviour(
    'with a search index each message is found by its words, and leaves it with the stream',
    async (t, use) => {
      const { store, finds } = await use({ maxLength: 2, searchIndex: 'messages_idx' });
      const results = await store.append([
        someMessage({ title: 'first walrus' }),
        someMessage({ message: 'second walrus' }),
      ]);
      t.same((await finds('walrus')).sort(), idsOf(results).sort());
      const later = await store.append([someMessage({ tags: 'walrus,third' })]);
      t.same((await finds('walrus')).sort(), [idsOf(results)[1], idsOf(later)[0]].sort());
      t.same(await finds('nothing'), []);
    },
    noSearch,
  );

  behaviour('the status of a working store is ready', async (t, use) => {
    const { store } = await use();
    t.match(await store.status(), { ready: true });
  });
}

type UseStore = (settings?: Partial<StoreSettings>) => Promise<StoreUnderTest & { time: { now: number } }>;

async function openAt(t: Test, open: OpenStore, settings: Partial<StoreSettings> = {}) {
  const time = { now: start };
  const defaults = { maxLength: 1_000_000, maxAgeMs: 1000 * hour, searchIndex: undefined };
  return { ...(await open(t, { clock: () => time.now, ...defaults, ...settings })), time };
}

function idOf(result: AppendResult | undefined): string {
  if (!result?.ok) throw new Error(`not appended: ${JSON.stringify(result)}`);
  return result.id;
}

const idsOf = (results: AppendResult[]) => results.map(idOf);
const timeOf = (id: string) => Number(id.split('-')[0]);
const total = (counts: readonly Count[]) => counts.reduce((sum, { count }) => sum + count, 0);

function compareIds(a: string, b: string): number {
  const [[aMs = 0, aSeq = 0], [bMs = 0, bSeq = 0]] = [a.split('-').map(Number), b.split('-').map(Number)];
  return aMs - bMs || aSeq - bSeq;
}

function recount(entries: Record<string, string>[]): readonly Count[] {
  const groups = Map.groupBy(entries, ({ system, severity }) => JSON.stringify([system, severity]));
  return sorted(
    [...groups].map(([key, members]) => {
      const [system, severity] = JSON.parse(key);
      return { system, severity, count: members.length };
    }),
  );
}

function sorted(counts: readonly Count[]): readonly Count[] {
  const key = ({ system, severity }: Count) => `${system} ${severity}`;
  return counts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
