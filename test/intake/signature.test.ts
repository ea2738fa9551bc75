import { sign } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { test } from 'tap';
import { isSigned } from '../../src/intake/signature.ts';

const secret = "It's a Secret to Everybody";

test('the example of the GitHub documentation is signed', async (t) => {
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  t.equal(isSigned(Buffer.from('Hello, World!'), signature, [secret]), true);
});

test('whatever another implementation signs is signed, and under no other secret', async () => {
  const secrets = fc.string({ minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), secrets, secrets, async (body, right, wrong) => {
      const signature = await sign(right, body);
      const raw = Buffer.from(body);
      return isSigned(raw, signature, [right]) && (right === wrong || !isSigned(raw, signature, [wrong]));
    }),
  );
});

test('any flipped bit of the body is refused', async () => {
  const bodies = fc.uint8Array({ minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(bodies, fc.nat(), fc.nat(7), async (body, place, bit) => {
      const text = Buffer.from(body).toString('latin1');
      const raw = Buffer.from(text);
      const signature = await sign(secret, text);
      const flipped = Buffer.from(raw);
      const index = place % raw.length;
      flipped.writeUInt8(raw.readUInt8(index) ^ (1 << bit), index);
      return isSigned(raw, signature, [secret]) && !isSigned(flipped, signature, [secret]);
    }),
  );
});

test('any changed digit of the signature is refused', async (t) => {
  const body = 'Hello, World!';
  const signature = await sign(secret, body);
  for (let i = 0; i < signature.length; i++) {
    const changed = signature.slice(0, i) + (signature[i] === '0' ? '1' : '0') + signature.slice(i + 1);
    t.equal(isSigned(Buffer.from(body), changed, [secret]), false, changed);
  }
});

test('a signature of any of the secrets is valid, so that they can be rotated', async (t) => {
  const raw = Buffer.from('{}');
  for (const used of ['old', 'new']) t.equal(isSigned(raw, await sign(used, '{}'), ['old', 'new']), true);
  t.equal(isSigned(raw, await sign('other', '{}'), ['old', 'new']), false);
});

test('without a secret nothing is signed', async (t) => {
  t.equal(isSigned(Buffer.from('{}'), await sign(secret, '{}'), []), false);
});

test('a signature of another form is refused', async (t) => {
  const signature = await sign(secret, '{}');
  const hex = signature.slice('sha256='.length);
  const forms = [
    '',
    'sha256=',
    hex,
    `sha1=${hex}`,
    `sha256=${hex.slice(2)}`,
    `${signature}00`,
    ` ${signature}`,
    `${signature}\n`,
  ];
  for (const form of [...forms, `sha256=${'z'.repeat(64)}`, `${signature}, ${signature}`]) {
    t.equal(isSigned(Buffer.from('{}'), form, [secret]), false, form);
  }
  t.equal(isSigned(Buffer.from('{}'), `sha256=${hex.toUpperCase()}`, [secret]), true);
});
