import { severities } from '../src/messages/message.ts';
import type { NewMessage } from '../src/messages/message-store.ts';
import { openSqliteStore } from '../src/messages/sqlite-store.ts';

/** Messages of one transaction. */
const BATCH = 4000;
/** Messages between two lines of progress. */
const PROGRESS = 500_000;
const DAY_MS = 24 * 3_600_000;
const SYSTEMS = 50;

/** Stores `count` messages in `dataDir` as if they had come in evenly over the last 24 hours. */
export async function fillStore(dataDir: string, count: number): Promise<void> {
  const end = Date.now();
  let stored = 0;
  const store = openSqliteStore({
    dataDir,
    stream: 'messages',
    searchIndex: undefined,
    retention: { maxLength: 2 * count, maxAgeMs: 30 * DAY_MS },
    timeoutMs: 2000,
    clock: () => end - DAY_MS + Math.floor((stored / count) * DAY_MS),
    log: console,
  });
  // A batch spans several minutes where there are few messages: small ones keep to their minute.
  const batch = Math.max(1, Math.min(BATCH, Math.floor(count / 1440)));
  for (let next = PROGRESS; stored < count; stored += batch) {
    const size = Math.min(batch, count - stored);
    const results = await store.append(Array.from({ length: size }, (_, i) => message(stored + i)));
    if (results.some(({ ok }) => !ok)) throw new Error('the store did not take a message');
    if (stored < next) continue;
    console.error(`  ${stored.toLocaleString('en')} of ${count.toLocaleString('en')} messages stored`);
    next += PROGRESS;
  }
  await store.close();
}

/** Few systems send much and many send little, and most messages are no alarm. */
function message(i: number): NewMessage {
  const u = ((i * 2_654_435_761) % 2 ** 32) / 2 ** 32;
  const system = `system-${Math.floor(SYSTEMS * u * u)}`;
  return {
    title: 'Disk almost full',
    message: 'Less than 5 % are left.',
    severity: severities[Math.floor((((i * 7919) % 97) ** 2 / 97 / 97) * severities.length)] ?? 'info',
    timestamp: '2026-11-21T06:00:00.000Z',
    system,
    url: '',
    tags: 'disk',
    source: 'pitch',
    name: 'disk',
    repository: 'infra',
    payload: '{"title":"Disk almost full"}',
  };
}
