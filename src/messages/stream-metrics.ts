import { Gauge, type Registry } from 'prom-client';
import type { MessageStore } from './message-store.ts';

/** Tells the size of the stream whenever metrics are read; nothing while the store is away. */
export function streamMetrics(registry: Registry, store: MessageStore, clock: () => number): void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const oldest = gauge('frontdesk_stream_oldest_entry_age_seconds', 'Age of the oldest entry of the stream.');
  const bytes = gauge(
    'frontdesk_stream_bytes',
    'Memory that the stream takes in Redis, or size of the embedded store.',
  );
  new Gauge({
    name: 'frontdesk_stream_length',
    help: 'Entries of the stream.',
    registers: [registry],
    async collect() {
      for (const one of [this, oldest, bytes]) one.reset();
      const size = await store.size().catch(() => undefined);
      if (size === undefined) return;
      this.set(size.length);
      bytes.set(size.bytes);
      if (size.oldest !== undefined) oldest.set((clock() - size.oldest) / 1000);
    },
  });
}
