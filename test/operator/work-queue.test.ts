import { type Test, test } from 'tap';
import { WorkQueue, type WorkQueueOptions } from '../../src/operator/work-queue.ts';
import { until } from '../programs/until.ts';

const SEEN_MS = 10_000;

test('a key that is added often while it waits is worked on once, and never twice at a time', async (t) => {
  const { queue, started, finish } = queueOf(t, { concurrency: 1 });
  queue.add('a');
  for (let i = 0; i < 5; i += 1) for (const key of ['b', 'a']) queue.add(key);
  t.same(started, ['a']);
  finish();
  await until(() => started.length === 2, SEEN_MS, never('b'));
  finish();
  await until(() => started.length === 3, SEEN_MS, never('a again'));
  finish();
  t.same(started, ['a', 'b', 'a']);
  await queue.close();
  t.same(started, ['a', 'b', 'a']);
});

test('so many keys are worked on at once, and no more', async (t) => {
  const { queue, started, finish } = queueOf(t, { concurrency: 3 });
  const keys = Array.from({ length: 10 }, (_, i) => `${i}`);
  for (const key of keys) queue.add(key);
  for (let done = 0; done < keys.length; done += 1) {
    const expected = Math.min(3 + done, keys.length);
    await until(() => started.length === expected, SEEN_MS, never(`${expected} started`));
    finish();
  }
  t.same(started, keys);
});

test('what fails is tried again after a pause that grows until it succeeds', async (t) => {
  const pauses: number[] = [];
  const failures: unknown[] = [];
  let fails = 3;
  const { queue, started } = queueOf(t, {
    work: async () => {
      fails -= 1;
      if (fails >= 0) throw new Error(`${fails}`);
      return undefined;
    },
    backOff: (attempt) => {
      pauses.push(attempt);
      return attempt;
    },
    onFailure: (key, error) => failures.push(`${key} ${error}`),
  });
  queue.add('a');
  await until(() => started.length === 4, SEEN_MS, never('a success'));
  t.same(pauses, [1, 2, 3]);
  t.same(failures, ['a Error: 2', 'a Error: 1', 'a Error: 0']);
  fails = 1;
  queue.add('a');
  await until(() => started.length === 6, SEEN_MS, never('another success'));
  t.same(pauses, [1, 2, 3, 1], 'a success ends the series');
});

test('what is due again later is done then, unless it is forgotten or the queue is closed', async (t) => {
  const { queue, started } = queueOf(t, { work: async (key) => (key === 'never' ? 3_600_000 : 5) });
  for (const key of ['again', 'forgotten', 'never']) queue.add(key);
  await until(() => started.filter((key) => key === 'forgotten').length > 2, SEEN_MS, never('forgotten again'));
  await until(() => started.filter((key) => key === 'again').length > 2, SEEN_MS, never('again'));
  queue.forget('never');
  queue.add('never');
  await until(() => started.filter((key) => key === 'never').length === 2, SEEN_MS, never('what is added anew'));
  await queue.close();
  const count = started.length;
  queue.add('again');
  t.equal(started.length, count);
});

/** A queue whose work ends when the test calls `finish`, the oldest first, unless `work` is given. */
function queueOf(t: Test, options: Partial<WorkQueueOptions>) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const wait = () => new Promise<undefined>((resolve) => ends.push(() => resolve(undefined)));
  const { work = wait, ...others } = options;
  const queue = new WorkQueue({
    concurrency: 2,
    backOff: () => 1,
    onFailure: (_key, error) => t.error(error),
    ...others,
    work: (key) => {
      started.push(key);
      return work(key);
    },
  });
  t.teardown(() => {
    for (const end of ends) end();
    return queue.close();
  });
  return { queue, started, finish: () => ends.shift()?.() };
}

function never(what: string) {
  return (cause: unknown) => new Error(`${what} is never seen`, { cause });
}
