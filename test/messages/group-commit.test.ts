import { test } from 'tap';
import { GroupCommit, type GroupCommitOptions } from '../../src/messages/group-commit.ts';

const busy = new Error('busy');

/** A group commit of words, whose results are the words in capitals, or why they failed. */
function words({
  flush,
  ...changes
}: Partial<GroupCommitOptions<string, string>> & { flush?: () => Promise<void> | undefined }) {
  const writes: string[][] = [];
  const commit = new GroupCommit<string, string>({
    write: async (items) => {
      writes.push([...items]);
      await flush?.();
      return items.map((item) => item.toUpperCase());
    },
    isTransient: (error) => error === busy,
    failed: (error) => `failed: ${error instanceof Error ? error.message : error}`,
    size: (item) => item.length,
    maxQueued: 20,
    maxBatch: 100,
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
  await new Promise((resolve) => setImmediate(resolve));
  const later = [commit.add(['b']), commit.add(['c'])];
  await new Promise((resolve) => setImmediate(resolve));
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
  await new Promise((resolve) => setImmediate(resolve));
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
    await new Promise((resolve) => setImmediate(resolve));
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
    write: (items) => {
      if (failures-- > 0) throw busy;
      return [...items];
    },
  });
  t.same(await commit.add(['a']), ['a']);
  failures = Number.POSITIVE_INFINITY;
  t.same(await commit.add(['b']), ['failed: busy']);
});

test('a write that fails for good fails those who waited, and only them', async (t) => {
  let failures = 1;
  const { commit } = words({
    write: (items) => {
      if (failures-- > 0) throw new Error('disk full');
      return [...items];
    },
  });
  t.same(await Promise.all([commit.add(['a', 'b']), commit.add(['c'])]), [
    ['failed: disk full', 'failed: disk full'],
    ['failed: disk full'],
  ]);
  t.same(await commit.add(['d']), ['d']);
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
