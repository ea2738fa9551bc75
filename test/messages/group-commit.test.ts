import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'tap';
import { GroupCommit, type GroupCommitOptions } from '../../src/messages/group-commit.ts';

const busy = new Error('busy');

async function tellLater(items: readonly string[], tell: (i: number, result: string) => void): Promise<void> {
  await nextTurn();
  for (const [i, item] of items.entries()) tell(i, item.toUpperCase());
}

/** A group commit of words, whose results are the words in capitals, or why they failed. */
function words({
  flush,
  ...changes
}: Partial<GroupCommitOptions<string, string>> & { flush?: () => Promise<void> | undefined }) {
  const writes: string[][] = [];
  const commit = new GroupCommit<string, string>({
    write: async (items, tell) => {
      writes.push([...items]);
      await flush?.();
      await tellLater(items, tell);
    },
    isTransient: (error) => error === busy,
    failed: (error) => `failed: ${error instanceof Error ? error.message : error}`,
    size: (item) => item.length,
    maxQueued: 20,
    maxBatch: 100,
    maxInFlight: () => 1,
    timeoutMs: 200,
    giveUp: () => undefined,
    ...changes,
  });
  return { commit, writes };
}

test('callers of one round share one write, and each gets its own results', async (t) => {
  const { commit, writes } = words({});
  const results = await Promise.all([commit.add(['a', 'b']), commit.add([]), commit.add(['c'])]);
  t.same(results, [['A', 'B'], [], ['C']]);
  t.same(writes, [['a', 'b', 'c']]);
});

test('callers that come during a flush share the next write, after it', async (t) => {
  const flushed = Promise.withResolvers<void>();
  const flushes = [flushed.promise];
  const { commit, writes } = words({ flush: () => flushes.shift() });
  const first = commit.add(['a']);
  await nextTurn();
  const later = [commit.add(['b']), commit.add(['c'])];
  await nextTurn();
  t.same(writes, [['a']]);
  flushed.resolve();
  t.same(await Promise.all([first, ...later]), [['A'], ['B'], ['C']]);
  t.same(writes, [['a'], ['b', 'c']]);
});

test('what is written but cannot be flushed has failed, and what comes later has not', async (t) => {
  const flushes = [() => Promise.reject(new Error('disk on fire'))];
  const { commit } = words({ flush: () => flushes.shift()?.() });
  t.same(await commit.add(['a']), ['failed: disk on fire']);
  t.same(await commit.add(['b']), ['B']);
});

test('a write that hangs keeps nobody longer than the time limit, is given up, and service resumes after it', async (t) => {
  const flushed = Promise.withResolvers<void>();
  const flushes = [flushed.promise];
  let givenUp = 0;
  const giveUp = () => {
    givenUp += 1;
  };
  const { commit } = words({ flush: () => flushes.shift(), timeoutMs: 50, giveUp });
  const first = commit.add(['a']);
  await nextTurn();
  t.same(await Promise.all([first, commit.add(['b', 'c'])]), [
    ['failed: no answer within the time limit, outcome unknown'],
    ['failed: no answer within the time limit', 'failed: no answer within the time limit'],
  ]);
  t.ok(givenUp > 0);
  flushed.resolve();
  t.same(await commit.add(['d']), ['D']);
});

test('what is added while a write is under way is written together when that is over', async (t) => {
  const first = Promise.withResolvers<void>();
  const flushes = [first.promise];
  const { commit, writes } = words({ flush: () => flushes.shift() });
  const results = [];
  for (const word of ['a', 'b', 'c']) {
    results.push(commit.add([word]));
    await nextTurn();
  }
  t.same(writes, [['a']]);
  first.resolve();
  t.same(await Promise.all(results), [['A'], ['B'], ['C']]);
  t.same(writes, [['a'], ['b', 'c']]);
});

test('more items than a batch holds are written in several, in order, and those of one caller stay together', async (t) => {
  const { commit, writes } = words({ maxBatch: 2 });
  const results = await Promise.all([
    commit.add(['a']),
    commit.add(['b', 'c', 'd']),
    commit.add(['e']),
    commit.add(['f']),
  ]);
  t.same(results.flat(), ['A', 'B', 'C', 'D', 'E', 'F']);
  t.same(writes, [['a'], ['b', 'c', 'd'], ['e', 'f']]);
});

test('a write that fails for a moment is tried again, for as long as the time limit', async (t) => {
  let failures = 3;
  const { commit } = words({
    write: (items, tell) => {
      if (failures-- > 0) throw busy;
      return tellLater(items, tell);
    },
  });
  t.same(await commit.add(['a']), ['A']);
  failures = Number.POSITIVE_INFINITY;
  t.same(await commit.add(['b']), ['failed: busy']);
});

test('a write that fails for good fails those who waited, and only them', async (t) => {
  let failures = 1;
  const { commit } = words({
    write: (items, tell) => {
      if (failures-- > 0) throw new Error('disk full');
      return tellLater(items, tell);
    },
  });
  t.same(await Promise.all([commit.add(['a', 'b']), commit.add(['c'])]), [
    ['failed: disk full', 'failed: disk full'],
    ['failed: disk full'],
  ]);
  t.same(await commit.add(['d']), ['D']);
});

test('more than may wait is refused, whatever became of those before', async (t) => {
  const { commit } = words({});
  const results = await Promise.all([
    commit.add(['x'.repeat(15)]),
    commit.add(['y'.repeat(6)]),
    commit.add(['z'.repeat(5)]),
  ]);
  t.same(results, [['X'.repeat(15)], ['failed: too many messages are waiting for the store'], ['Z'.repeat(5)]]);
  t.same(await commit.add(['y'.repeat(20)]), ['Y'.repeat(20)], 'all room is free again');
});

test('each caller has its results as soon as they are told, in whatever order', async (t) => {
  const tellers: ((i: number, result: string) => void)[] = [];
  const { commit } = words({
    write: (_items, tell) => {
      tellers.push(tell);
      return new Promise(() => {});
    },
  });
  const [one, two, three] = [commit.add(['a', 'b']), commit.add(['c']), commit.add(['d'])];
  await nextTurn();
  const [tell] = tellers;
  tell?.(2, 'C');
  t.same(await two, ['C']);
  tell?.(1, 'B');
  tell?.(0, 'A');
  t.same(await one, ['A', 'B']);
  t.same(await three, ['failed: no answer within the time limit, outcome unknown'], 'what is never told has failed');
});

test('where more may be in flight a write begins before the one before it is over, up to that many items', async (t) => {
  const ends = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const [first, second] = ends;
  const flushes = ends.map(({ promise }) => promise);
  const { commit, writes } = words({ flush: () => flushes.shift(), maxInFlight: () => 2 });
  const results = [];
  for (const word of ['a', 'b', 'c', 'd']) {
    results.push(commit.add([word]));
    await nextTurn();
  }
  t.same(writes, [['a'], ['b']]);
  second?.resolve();
  t.same(await results[1], ['B']);
  await nextTurn();
  t.same(writes, [['a'], ['b'], ['c', 'd']], 'c and d waited');
  first?.resolve();
  ends[2]?.resolve();
  t.same(await Promise.all(results), [['A'], ['B'], ['C'], ['D']]);
});

test('what waits beyond a batch is written in the next turn where more may be in flight', async (t) => {
  const { commit, writes } = words({ maxBatch: 2, maxInFlight: () => 100 });
  const results = ['a', 'b', 'c', 'd', 'e'].map((word) => commit.add([word]));
  await nextTurn();
  t.same(writes, [['a', 'b']]);
  t.same((await Promise.all(results)).flat(), ['A', 'B', 'C', 'D', 'E']);
  t.same(writes, [['a', 'b'], ['c', 'd'], ['e']]);
});

test('it is idle when everything that was added has its result', async (t) => {
  const flushed = Promise.withResolvers<void>();
  const { commit } = words({ flush: () => flushed.promise, maxInFlight: () => 100 });
  await commit.idle();
  const told: string[] = [];
  void commit.add(['a']).then((results) => told.push(...results));
  await nextTurn();
  void commit.add(['b']).then((results) => told.push(...results));
  const idle = commit.idle().then(() => told.push('idle'));
  await nextTurn();
  t.same(told, []);
  flushed.resolve();
  await idle;
  t.same(told, ['A', 'B', 'idle']);
});
