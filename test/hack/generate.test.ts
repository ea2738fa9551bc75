import { test } from 'tap';
import { staleFiles } from '../../hack/generate.ts';

test('every generated page is as its source says now', (t) => {
  t.same(staleFiles(), []);
  t.end();
});
