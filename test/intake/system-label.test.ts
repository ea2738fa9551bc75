import fc from 'fast-check';
import { test } from 'tap';
import { MAX_SYSTEM_LABEL, systemLabel } from '../../src/intake/system-label.ts';

test('a label of 256 code points is kept, however many code units it takes', async (t) => {
  for (const name of ['x'.repeat(256), 'ä'.repeat(256), '🎲'.repeat(256)]) t.equal(systemLabel(name), name);
});

test('a longer label is cut after 256 code points, never within one', async (t) => {
  t.equal(systemLabel('x'.repeat(257)), 'x'.repeat(256));
  t.equal(systemLabel('🎲'.repeat(300)), '🎲'.repeat(256));
});

test('any string becomes a prefix of itself of at most 256 code points that is valid Unicode', async () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 600, size: 'max' });
  fc.assert(
    fc.property(anyText, (name) => {
      const label = systemLabel(name);
      return [...label].length <= MAX_SYSTEM_LABEL && label.isWellFormed() && name.toWellFormed().startsWith(label);
    }),
  );
});

test('half a surrogate pair becomes the replacement character, as every store would make it', async (t) => {
  t.equal(systemLabel('a\ud800b'), 'a\ufffdb');
});
