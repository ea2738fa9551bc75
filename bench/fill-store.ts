import { severities } from '../src/messages/message.ts';
import type { MessageStore, NewMessage } from '../src/messages/message-store.ts';
import { until } from '../test/programs/until.ts';

/** Messages of one transaction. */
const BATCH = 4000;
/** Messages between two lines of progress. */
const PROGRESS = 500_000;
const DAY_MS = 24 * 3_600_000;
const SYSTEMS = 50;
const READY_MS = 10_000;
/** How long the store may take to count what was appended, in milliseconds. */
const COUNTED_MS = 120_000;

/**
 * Appends `count` messages to a store as if they had come in evenly over the last 24 hours, and closes it.
 * @param open opens the store; `clock` gives the time of the message that is appended
 */
export async function fillStore(count: number, open: (clock: () => number) => MessageStore): Promise<void> {
  const end = Date.now();
  let stored = 0;
  const store = open(() => end - DAY_MS + Math.floor((stored / count) * DAY_MS));
  await until(async () => (await store.status()).ready, READY_MS, notReady);
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
  await until(async () => (await store.counts('all')).length > 0, COUNTED_MS, notReady);
  await store.close();
}

const notReady = (cause: unknown) => new Error('the store is not ready', { cause });

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
