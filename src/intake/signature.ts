import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureFormat = /^sha256=([0-9a-f]{64})$/i;

/**
 * Whether `signature` (`sha256=<hex>`) is the HMAC-SHA256 of `body`, byte for byte as received, under any of `secrets`.
 * Takes equally long whichever byte differs and whichever secret matches.
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function isSigned(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const hex = signatureFormat.exec(signature)?.[1];
  if (hex === undefined) return false;
  const given = Buffer.from(hex, 'hex');
  let matches = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(body).digest();
    matches = timingSafeEqual(given, expected) || matches;
  }
  return matches;
}
