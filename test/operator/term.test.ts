import { test } from 'tap';
import { Term } from '../../src/operator/term.ts';

test('a term is over when its time is, even before the timer that ends it had its turn', (t) => {
  let now = 1000;
  const ends: string[] = [];
  const term = new Term({ monotonic: () => now, until: 11_000, onEnd: (reason) => ends.push(reason) });
  t.teardown(() => term.end('the test is over'));
  now = 10_999;
  t.ok(term.held);
  term.assertHeld();
  now = 11_000;
  t.notOk(term.held);
  t.throws(() => term.assertHeld(), /does not lead/);
  t.notOk(term.signal.aborted, 'no timer fired while this test ran');
  t.end();
});

test('a term that is extended lasts; one that ended does not begin again, and says so once', (t) => {
  let now = 0;
  const ends: string[] = [];
  const term = new Term({ monotonic: () => now, until: 10_000, onEnd: (reason) => ends.push(reason) });
  now = 9000;
  term.extend(19_000);
  now = 12_000;
  t.ok(term.held);
  term.end('taken');
  term.end('again');
  t.same(ends, ['taken']);
  t.ok(term.signal.aborted);
  t.notOk(term.held);
  t.end();
});

test('a term ends by itself', async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const until = performance.now() + 20;
  const term = new Term({ monotonic: () => performance.now(), until, onEnd: resolve });
  t.equal(await promise, 'the lease could not be renewed in time');
  t.ok(term.signal.aborted);
});
