import { test } from 'tap';
import { at, isJsonObject, lineAt, text } from '../../src/intake/json-object.ts';

test('only an object that is neither null nor an array is a JSON object', async (t) => {
  t.equal(isJsonObject({}), true);
  for (const value of [null, [], 'x', 1, true, undefined]) t.equal(isJsonObject(value), false);
});

test('text is a string with something in it', async (t) => {
  t.equal(text(' x '), ' x ');
  for (const value of ['', ' \n', 5, null, undefined, {}, ['x']]) t.equal(text(value), undefined);
});

test('a path through what is missing, null, an array or a string leads to nothing', async (t) => {
  t.equal(at({ a: { b: 1 } }, 'a', 'b'), 1);
  for (const value of [undefined, null, 'x', {}, { a: null }, { a: ['b'] }, { a: 'b' }]) {
    t.equal(at(value, 'a', 'b'), undefined);
  }
});

test('what every object inherits is not found in a payload', async (t) => {
  t.equal(at({}, 'constructor'), undefined);
  t.equal(at({}, '__proto__', 'toString'), undefined);
});

test('the first line is the first that says something', async (t) => {
  t.equal(lineAt({ body: '\r\n  \nFirst \r\nsecond' }, 'body'), 'First');
  t.equal(lineAt({ body: ' \n ' }, 'body'), undefined);
});
