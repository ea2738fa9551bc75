import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { digestOf } from '../../../src/modules/digest.ts';
import { readPublicKeys } from '../../../src/modules/signature/public-keys.ts';
import { isSigned } from '../../../src/modules/signature/simple-signing.ts';
import { cosignKeys, payloadOf, signatureOf } from './sign.ts';

const digest = digestOf(Buffer.from('a module'));
const other = digestOf(Buffer.from('another'));
const { publicKey, privateKey } = cosignKeys();
const signed = (payload = payloadOf(digest), key = privateKey) => ({ payload, signature: signatureOf(payload, key) });

test('a signature counts if it is by one of the keys, over what it is for', (t) => {
  t.ok(isSigned(digest, signed(), [publicKey]));
  t.ok(isSigned(digest, signed(), [cosignKeys().publicKey, publicKey]));
  t.notOk(isSigned(digest, signed(), [cosignKeys().publicKey]), 'another key');
  t.notOk(isSigned(digest, signed(), []), 'no key');
  t.notOk(isSigned(other, signed(), [publicKey]), 'another module');
  t.notOk(isSigned(other, { ...signed(), payload: payloadOf(other) }, [publicKey]), 'a payload put in its place');
  t.end();
});

test('what is signed as something else, or is no payload, does not count', (t) => {
  for (const text of ['', '[]', '{}', 'null', '{"critical":{"image":{}}}', '\xff']) {
    t.notOk(isSigned(digest, signed(Buffer.from(text, 'latin1')), [publicKey]), JSON.stringify(text));
  }
  t.notOk(isSigned(digest, signed(payloadOf(digest, 'something else')), [publicKey]));
  t.end();
});

test('what is no signature at all does not count', (t) => {
  for (const signature of ['', 'AAAA', 'not base64 ☃', signed().signature.slice(4)]) {
    t.notOk(isSigned(digest, { ...signed(), signature }, [publicKey]), signature);
  }
  t.end();
});

test('keys may be of any kind that cosign takes', (t) => {
  for (const keys of [generateKeyPairSync('ed25519'), generateKeyPairSync('rsa', { modulusLength: 2048 })]) {
    t.ok(
      isSigned(digest, signed(payloadOf(digest), keys.privateKey), [keys.publicKey]),
      `${keys.publicKey.asymmetricKeyType}`,
    );
    t.notOk(isSigned(digest, signed(), [keys.publicKey]));
  }
  t.end();
});

test('keys are read from one file, and what is no public key is refused', (t) => {
  const pem = (key: KeyObject) =>
    key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();
  const read = (text: string) => {
    const file = join(t.testdir({}), 'cosign.pub');
    writeFileSync(file, text);
    return readPublicKeys(file);
  };
  t.equal(read(`# ours\n${pem(publicKey)}${pem(cosignKeys().publicKey)}`).length, 2);
  for (const [text, says] of [
    ['', /MODULE_VERIFY: .*cosign\.pub: it has none/],
    [pem(publicKey) + pem(privateKey), /something else than public keys/],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /MODULE_VERIFY: /],
    [pem(publicKey).repeat(65), /more than 64/],
  ] as const) {
    t.throws(() => read(text), { message: says });
  }
  t.throws(() => readPublicKeys('/nosuch'), { message: /MODULE_VERIFY: .*ENOENT/ });
  t.end();
});
