import fc from 'fast-check';
import { test } from 'tap';
import { parseChallenges } from '../../../src/modules/remote/challenge.ts';

const read = (header: string) =>
  parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

test('challenges are read with their parameters, quoted or not', (t) => {
  t.same(read('Basic realm="a"'), [['basic', { realm: 'a' }]]);
  t.same(read('Bearer realm="https://a/token",service=b , scope="repository:c:pull,push"'), [
    ['bearer', { realm: 'https://a/token', service: 'b', scope: 'repository:c:pull,push' }],
  ]);
  t.same(read('BASIC Realm = "a \\"quoted\\" \\\\"'), [['basic', { realm: 'a "quoted" \\' }]]);
  t.end();
});

test('several challenges in one header are told apart', (t) => {
  t.same(read('Negotiate, Basic realm="a", charset="UTF-8", Bearer realm="b"'), [
    ['negotiate', {}],
    ['basic', { realm: 'a', charset: 'UTF-8' }],
    ['bearer', { realm: 'b' }],
  ]);
  t.end();
});

test('what is no challenge gives none', (t) => {
  for (const header of ['', ' ', ',,', '"x"', '=', '="a"', 'ä']) t.same(read(header), [], header);
  t.end();
});

test('any text is read, in little time', (t) => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('Bearer ', 'realm=', '"', '\\', ',', ' ', 'a="b"'));
  fc.assert(fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => Array.isArray(read(pieces.join('')))));
  for (const header of ['a'.repeat(1e6), ' ,'.repeat(1e6), `a="${'\\"'.repeat(1e6)}`, 'a=" '.repeat(1e6)]) {
    t.ok(Array.isArray(read(header)));
  }
  t.end();
});
