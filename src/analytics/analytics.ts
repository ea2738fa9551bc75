import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { onRequestHookHandler } from 'fastify';
import { DURATION_PATTERN, formatDuration, parseDuration } from '../duration.ts';
import { Problem } from '../http/problem.ts';
import { type Count, type MessageStore, StillCountingError } from '../messages/message-store.ts';
import { Alerts, rankSystems, Summary, Systems, summarize, summarizeAlerts } from './standings.ts';

export interface AnalyticsOptions {
  store: MessageStore;
  clock: () => number;
  authenticate: onRequestHookHandler;
}

const DEFAULT_WINDOW = '24h';
const Query = Type.Object({
  window: Type.Optional(
    Type.String({
      pattern: `^(all|${DURATION_PATTERN})$`,
      maxLength: 64,
      description: 'A Go duration such as 90m or 24h, or `all`. Default 24h.',
    }),
  ),
});

const documents = [
  { path: '/analytics/summary', summary: 'Messages by severity', schema: Summary, make: summarize },
  { path: '/analytics/systems', summary: 'Messages by system, the top 20', schema: Systems, make: rankSystems },
  {
    path: '/analytics/alerts',
    summary: 'Messages of severity error and critical',
    schema: Alerts,
    make: summarizeAlerts,
  },
];

/** The three analytics endpoints; specification "GET /analytics/summary" and following. */
export const analytics: FastifyPluginAsyncTypebox<AnalyticsOptions> = async (app, { store, clock, authenticate }) => {
  app.addHook('onRequest', authenticate);

  for (const { path, summary, schema, make } of documents) {
    app.get(
      path,
      {
        schema: {
          summary,
          tags: ['analytics'],
          security: [{ bearer: [] }],
          querystring: Query,
          response: { 200: schema },
        },
      },
      async ({ query: { window = DEFAULT_WINDOW } }) => {
        const now = clock();
        const counts = await countsOf(store, window, now);
        return { ...make(counts), timeWindow: window, lastUpdated: new Date(now).toISOString() };
      },
    );
  }
};

async function countsOf(store: MessageStore, window: string, now: number): Promise<readonly Count[]> {
  const since = window === 'all' ? 'all' : now - windowMs(window, store.maxWindowMs);
  try {
    return await store.counts(since);
  } catch (cause) {
    const message = cause instanceof StillCountingError ? { message: cause.message } : {};
    throw new Problem('STORE_UNAVAILABLE', { ...message, headers: { 'Retry-After': '1' }, cause });
  }
}

function windowMs(window: string, max: number): number {
  const ms = parseDuration(window);
  if (ms !== undefined && ms > 0 && ms <= max) return ms;
  throw new Problem('INVALID_REQUEST', {
    message: `window must be a duration such as 90m or 24h, up to ${formatDuration(max)}, or "all"`,
  });
}
