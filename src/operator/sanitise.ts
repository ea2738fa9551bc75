/** Longest message of a condition or an event, in bytes of UTF-8; the API server takes no longer ones for events. */
export const MAX_MESSAGE_BYTES = 1024;
/** Longest text that is looked at, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 16_384;
const CUT = '…';

/** What may be a credential, each with what is left of it. */
const secrets: readonly (readonly [form: RegExp, rest: string])[] = [
  // Up to the last @ that begins no digest: a password may have any character.
  [/([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s"'<>]*@(?!sha256:)/gi, '$1'],
  [/([a-z][a-z0-9+.-]{0,31}:\/\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi, '$1'],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***'],
  [/\b(authorization|password|passwd|secret|token|api[-_]?key)(["']?\s*[=:]\s*)(["']?)[^\s"',;]+/gi, '$1$2$3***'],
];

/** A message that may be shown to everybody who can read the object: without credentials, on one line, and short. */
export function sanitise(text: string): string {
  // What is cut in the middle might not be known for a credential any more.
  const looked = text.length > MAX_TEXT_LENGTH ? withoutLastWord(text.slice(0, MAX_TEXT_LENGTH)) : text;
  let safe = looked.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  for (const [form, rest] of secrets) safe = safe.replace(form, rest);
  return cut(safe);
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  const room = new Uint8Array(MAX_MESSAGE_BYTES - Buffer.byteLength(CUT));
  return text.slice(0, new TextEncoder().encodeInto(text, room).read) + CUT;
}

function withoutLastWord(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1) + CUT;
}
