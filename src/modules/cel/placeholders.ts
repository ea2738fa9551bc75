/** A piece of a string: text that stands for itself, or the CEL inside `${…}`. */
export type Segment = { kind: 'text'; text: string } | { kind: 'expression'; source: string };

/** A `${` without end, or a string inside it. */
export class PlaceholderError extends Error {}

const OPEN = '${';

// The tokens of CEL as far as braces can hide in them: strings (raw ones know no escapes), comments; then anything else.
// https://github.com/google/cel-spec/blob/v0.25.1/doc/langdef.md#syntax
const rawString = /(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\r\n]*"|'[^'\r\n]*')/;
const longString = /"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''/;
const shortString = /"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'/;
const other = /\/\/[^\r\n]*|[A-Za-z_][A-Za-z0-9_]*|[\s\S]/;
/** One token at a time, by `lastIndex`; what is neither name nor string nor comment comes as single characters. */
export const celToken = () =>
  new RegExp([rawString, longString, shortString, other].map((form) => form.source).join('|'), 'y');

/**
 * Splits a string at its `${…}`. A brace inside a CEL string, comment or map does not end an expression.
 * @throws {PlaceholderError} if an expression has no end.
 */
export function splitPlaceholders(text: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  while (from < text.length) {
    const start = text.indexOf(OPEN, from);
    if (start !== from) segments.push({ kind: 'text', text: text.slice(from, start < 0 ? undefined : start) });
    if (start < 0) break;
    const end = endOfExpression(text, start + OPEN.length);
    segments.push({ kind: 'expression', source: text.slice(start + OPEN.length, end) });
    from = end + 1;
  }
  return segments;
}

/** Position of the `}` that ends the expression which begins at `start`. */
function endOfExpression(text: string, start: number): number {
  const token = celToken();
  let depth = 0;
  token.lastIndex = start;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '"' || found === "'") throw new PlaceholderError('a string inside ${ is not closed');
    if (found === '{') depth += 1;
    if (found === '}' && depth === 0) return match.index;
    if (found === '}') depth -= 1;
  }
  throw new PlaceholderError('${ is not closed');
}
