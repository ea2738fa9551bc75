/** Control characters, those that turn text around, and line separators. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text of others on one line of a terminal: what could move the cursor, or recolour or retitle it, is shown as its code. */
export function printable(text: string): string {
  return text.replace(unsafe, escaped);
}

/** The same for text of many lines. */
export function printableLines(text: string): string {
  return text.replace(unsafe, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
