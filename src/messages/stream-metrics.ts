import { Gauge, type Registry } from 'prom-client';
import type { MessageStore, StreamSize } from './message-store.ts';

/** Tells the size of the stream whenever metrics are read; nothing while the store is away. */
export function streamMetrics(registry: Registry, store: MessageStore, clock: () => number): void {
  let asked: Promise<StreamSize | undefined> | undefined;
  /** All gauges of one reading share one question. */
  const size = () => {
    asked ??= store
      .size()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  const gauge = (name: string, help: string, pick: (size: StreamSize) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const known = await size();
        setOrRemove(this, known && pick(known));
      },
    });

  gauge('frontdesk_stream_length', 'Entries of the stream.', ({ length }) => length);
  gauge('frontdesk_stream_oldest_entry_age_seconds', 'Age of the oldest entry of the stream.', ({ oldest }) =>
    oldest === undefined ? undefined : (clock() - oldest) / 1000,
  );
  gauge(
    'frontdesk_stream_bytes',
    'Memory that the stream takes in Redis, or size of the embedded store.',
    ({ bytes }) => bytes,
  );
  if (store.searchUp() === undefined) return;
  new Gauge({
    name: 'frontdesk_search_index_up',
    help: 'Whether the search index has all messages: 1, or 0.',
    registers: [registry],
    collect() {
      this.set(store.searchUp() ? 1 : 0);
    },
  });
}

/** A gauge that is reset tells 0, which is not the same as nothing. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
