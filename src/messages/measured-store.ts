import type { Metrics } from '../http/metrics.ts';
import type { AppendResult, MessageStore, NewMessage } from './message-store.ts';

/** A store that counts in `metrics` what becomes of each message. */
export function measuredStore(store: MessageStore, metrics: Metrics): MessageStore {
  const outcomes = new Outcomes(metrics);
  return {
    stream: store.stream,
    maxWindowMs: store.maxWindowMs,
    counts: (since) => store.counts(since),
    size: () => store.size(),
    searchUp: () => store.searchUp(),
    status: () => store.status(),
    close: () => store.close(),
    append: async (batch) => {
      const results = await store.append(batch);
      for (const [i, message] of batch.entries()) outcomes.add(message, results[i]);
      return results;
    },
  };
}

/** Finds each counter by its labels once; looking it up costs more than counting. */
class Outcomes {
  readonly #metrics: Metrics;
  readonly #counters = new Map<string, { inc(): void }>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  add(message: NewMessage, result: AppendResult | undefined): void {
    const outcome = result?.ok ? (result.duplicate ? 'duplicate' : 'stored') : 'failed';
    const key = `${outcome} ${message.source} ${message.severity}`;
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = this.#counter(outcome, message);
      this.#counters.set(key, counter);
    }
    counter.inc();
  }

  #counter(outcome: 'duplicate' | 'stored' | 'failed', { source, severity }: NewMessage): { inc(): void } {
    switch (outcome) {
      case 'stored':
        return this.#metrics.messages.labels({ source, severity });
      case 'duplicate':
        return this.#metrics.duplicates.labels({ source });
      case 'failed':
        return this.#metrics.storeFailures.labels({ source });
    }
  }
}
