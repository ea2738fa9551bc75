import fc from 'fast-check';
import { test } from 'tap';
import { MAX_MESSAGE_BYTES, sanitise } from '../../src/operator/sanitise.ts';

const digest = `sha256:${'0'.repeat(64)}`;

/** What a message says, and what may be told of it. */
const told: [message: string, shown: string][] = [
  ['https://user:secret@registry.example/v2/', 'https://registry.example/v2/'],
  ['https://user:p@ss/wo?rd@registry.example/v2/', 'https://registry.example/v2/'],
  ['GET https://registry.example/token?service=x&sig=secret: 401', 'GET https://registry.example/token 401'],
  ['"oci://user:secret@registry.example/a" is none', '"oci://registry.example/a" is none'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: *** ***'],
  ['sent basic dXNlcjpwYXNz, refused', 'sent basic ***, refused'],
  ['{"password":"hunter2","a":1}', '{"password":"***","a":1}'],
  ['token=abc; api_key: def', 'token=***; api_key: ***'],
  ['two\nlines\tand\u0000more', 'two lines and more'],
];

for (const [message, shown] of told) {
  test(`${JSON.stringify(message)} is told as ${JSON.stringify(shown)}`, (t) => {
    t.equal(sanitise(message), shown);
    t.end();
  });
}

test('references of modules and problems of templates are told as they are', (t) => {
  for (const message of [
    `module registry.example/a@${digest} was not found`,
    `oci://registry.example/a@${digest}`,
    'oci://registry.example:5000/a:1.0',
    'spec.parameters[0].default: must match the pattern ^[a-z]+$; metadata.name: some is taken by other/some',
    'Zeichen: ä, 中, 🎲',
  ]) {
    t.equal(sanitise(message), message);
  }
  t.end();
});

const secret = fc.stringMatching(/^S3CR3T[A-Za-z0-9:@/?#._~+-]{0,40}$/);
const around = fc.string({ unit: 'binary', maxLength: 3000 });

test('no credential passes, whatever stands around it', (t) => {
  const forms = fc.constantFrom(
    (word: string) => `https://user:${word}@host.example/path`,
    (word: string) => `https://host.example/path?token=${word}`,
    (word: string) => `Bearer ${word}`,
    (word: string) => `basic ${word}`,
    (word: string) => `password=${word}`,
  );
  fc.assert(
    fc.property(around, secret, forms, around, (before, word, form, after) => {
      return !sanitise(`${before} ${form(word)} ${after}`).includes('S3CR3T');
    }),
    { numRuns: 2000 },
  );
  t.pass('it holds');
  t.end();
});

test('a message is short, well-formed and on one line, and is told the same when it is told again', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40_000, size: 'max' }), (text) => {
      const shown = sanitise(text);
      const isFit = Buffer.byteLength(shown) <= MAX_MESSAGE_BYTES && shown.isWellFormed() && !/[\n\r]/.test(shown);
      return isFit && sanitise(shown) === shown;
    }),
    { numRuns: 500 },
  );
  t.pass('it holds');
  t.end();
});

test('a hostile message costs no time', (t) => {
  const started = performance.now();
  for (const piece of ['a://', 'a://x@', 'a://x?', 'bearer ', 'token=', 'a'.repeat(32)])
    sanitise(piece.repeat(1_000_000 / piece.length));
  t.ok(performance.now() - started < 5000);
  t.end();
});
