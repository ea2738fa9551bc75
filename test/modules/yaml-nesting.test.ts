import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { isNestedTooDeep, MAX_NESTING } from '../../src/modules/yaml-nesting.ts';

test('nesting is too deep in brackets, in sequences and in keys on one line', (t) => {
  for (const unit of ['[', '{a: ', '[{', '- ', '? ', '- - ? ', '[\n', '"a": [']) {
    t.equal(isNestedTooDeep(unit.repeat(MAX_NESTING + 1)), true, unit);
    t.equal(isNestedTooDeep(unit.repeat(MAX_NESTING / 4)), false, unit);
  }
  t.equal(isNestedTooDeep('['.repeat(MAX_NESTING) + ']'.repeat(MAX_NESTING)), false);
  t.end();
});

test('what stands beside each other, or in text, is no nesting', (t) => {
  const many = MAX_NESTING * 3;
  const texts = [
    '- a\n'.repeat(many),
    'a: b\n'.repeat(many),
    `[${'[], '.repeat(many)}]`,
    `{${Array.from({ length: many }, (_, i) => `k${i}: v`).join(', ')}}`,
    `a: "${'['.repeat(many)}"`,
    `a: '${'{'.repeat(many)}'`,
    `a: |\n  ${'['.repeat(many)}\n  ${'- '.repeat(many)}\n`,
    `a: x${'['.repeat(many)}`,
    `# ${'['.repeat(many)}`,
    readFileSync(join(import.meta.dirname, '../../crds/claimtemplates.frontdesk.dev.yaml'), 'utf8'),
  ];
  for (const text of texts) t.equal(isNestedTooDeep(text), false, text.slice(0, 20));
  t.end();
});
