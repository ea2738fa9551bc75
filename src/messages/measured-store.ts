import type { Metrics } from '../http/metrics.ts';
import type { MessageStore } from './message-store.ts';

/** A store that counts in `metrics` what becomes of each message. */
export function measuredStore(store: MessageStore, { messages, duplicates, storeFailures }: Metrics): MessageStore {
  return {
    stream: store.stream,
    maxWindowMs: store.maxWindowMs,
    counts: (since) => store.counts(since),
    status: () => store.status(),
    close: () => store.close(),
    append: async (batch) => {
      const results = await store.append(batch);
      batch.forEach(({ source, severity }, i) => {
        const result = results[i];
        if (!result?.ok) storeFailures.inc({ source });
        else if (result.duplicate) duplicates.inc({ source });
        else messages.inc({ source, severity });
      });
      return results;
    },
  };
}
