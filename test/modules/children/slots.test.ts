import { test } from 'tap';
import { BusyError, Slots } from '../../../src/modules/children/slots.ts';

/** Work that ends when it is told to. */
function job() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let slot: number | undefined;
  return {
    work: (given: number) => {
      slot = given;
      return promise;
    },
    slot: () => slot,
    end: resolve,
    fail: reject,
  };
}

test('no more work at a time than there are places, in the order of arrival', async (t) => {
  const slots = new Slots({ size: 2, waiting: 2, waitMs: 60_000 });
  const jobs = [job(), job(), job(), job()];
  const results = jobs.map(({ work }) => slots.use(work));
  await Promise.resolve();
  t.same(jobs.map((one) => one.slot()).sort(), [0, 1, undefined, undefined]);
  const [first, second, third, fourth] = jobs;
  second?.end('second');
  await results[1];
  t.equal(third?.slot(), second?.slot(), 'the place that became free');
  t.equal(fourth?.slot(), undefined);
  first?.fail(new Error('failed'));
  await t.rejects(Promise.all(results.slice(0, 1)), { message: 'failed' });
  t.equal(fourth?.slot(), first?.slot(), 'also after a failure');
  third?.end('third');
  fourth?.end('fourth');
  t.same(await Promise.all(results.slice(1)), ['second', 'third', 'fourth']);
  t.type(await slots.use(async (slot) => slot), 'number', 'places are free again');
});

test('who finds the queue full is refused at once', async (t) => {
  const slots = new Slots({ size: 1, waiting: 1, waitMs: 60_000 });
  const [working, waiting] = [job(), job()];
  const results = [slots.use(working.work), slots.use(waiting.work)];
  const refused = await slots.use(async () => 'late').catch((error: unknown) => error);
  t.ok(refused instanceof BusyError);
  working.end('a');
  waiting.end('b');
  t.same(await Promise.all(results), ['a', 'b'], 'the others are not disturbed');
});

test('who waits too long is refused, and does not take a place later', async (t) => {
  const slots = new Slots({ size: 1, waiting: 2, waitMs: 10 });
  const working = job();
  const result = slots.use(working.work);
  let late = false;
  await t.rejects(
    slots.use(async () => {
      late = true;
    }),
    { message: 'no place became free within 10 ms' },
  );
  working.end('a');
  await result;
  t.equal(await slots.use(async () => 'next'), 'next');
  t.notOk(late);
});
