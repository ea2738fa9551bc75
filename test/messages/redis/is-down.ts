import type { Test } from 'tap';
import { type AppOnRedis, TIMEOUT_MS } from './app-on-redis.ts';

/** An answer is here by then, in milliseconds: the time limit, and a lot for a busy machine. */
const ANSWER_MS = TIMEOUT_MS + 3000;

/**
 * Checks that the service says of every message that it was not stored, and why; in time, and in the words of its
 * specification; and that it stays alive.
 */
export async function isDown(t: Test, service: AppOnRedis, reason: RegExp): Promise<void> {
  await service.untilDown(reason);
  for (const key of [undefined, 'lost']) {
    const pitched = await inTime(t, service.pitch('lost', key));
    t.equal(pitched.statusCode, 503);
    t.match(pitched.headers, { 'retry-after': /^\d+$/ });
    t.match(pitched.json(), {
      status: 'error',
      message: /^Failed to enqueue the message to the stream store: /,
    });
    t.match(pitched.json().message, reason);
  }
  const alerts = ['a', 'b'].map((alertname) => ({ labels: { alertname } }));
  const alerted = await inTime(t, service.alert(alerts));
  t.equal(alerted.statusCode, 503);
  t.match(alerted.headers, { 'retry-after': /^\d+$/ });
  t.match(alerted.json(), {
    status: 'error',
    message: 'Failed to enqueue all alerts',
    errors: [/^alert a: ./, /^alert b: ./],
  });
  t.match(await inTime(t, service.get('/ready')), { statusCode: 503 });
  t.match(await inTime(t, service.get('/health')), { statusCode: 200 });
}

/** Checks that what is to be counted is told to be unavailable. */
export async function analyticsAreDown(t: Test, service: AppOnRedis): Promise<void> {
  for (const path of ['/analytics/summary', '/analytics/systems?window=all', '/analytics/alerts']) {
    const answer = await inTime(t, service.get(path));
    t.equal(answer.statusCode, 503, path);
    t.match(answer.headers, { 'retry-after': /^\d+$/ });
    t.same(answer.json(), { error: 'the message store is not available' });
  }
}

/** Checks that the service serves again, without a restart. */
export async function isUpAgain(t: Test, service: AppOnRedis): Promise<void> {
  await service.untilReady();
  t.match(await service.pitch('after all'), { statusCode: 200, body: /success/ });
  t.match(await service.alert([{ labels: { alertname: 'a' } }]), { statusCode: 200 });
  await service.untilAnswered('/analytics/summary');
  t.match(service.log(), /messages are stored again/);
}

async function inTime<T>(t: Test, answer: Promise<T>): Promise<T> {
  const start = performance.now();
  const answered = await answer;
  t.ok(performance.now() - start < ANSWER_MS, 'is answered in time');
  return answered;
}
