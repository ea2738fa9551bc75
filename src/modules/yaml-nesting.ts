import { Lexer } from 'yaml';

/** Deepest nesting of a document: in brackets, or in indicators on one line. Kubernetes objects have about thirty. */
export const MAX_NESTING = 100;

/** What the lexer puts before a plain or block scalar, which may look like anything. */
const SCALAR_FOLLOWS = '\u001f';

const brackets: ReadonlyMap<string, number> = new Map(Object.entries({ '[': 1, '{': 1, ']': -1, '}': -1 }));
const indicators = new Set(['-', '?', ':']);

/**
 * Whether YAML is nested deeper than {@link MAX_NESTING}. A parser takes kilobytes of memory for each level, and so hundreds
 * of megabytes for as many brackets as fit into a small file. Levels by indentation need ever longer lines: the size of a
 * file bounds them.
 */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  let onLine = 0;
  for (const token of structure(text)) {
    depth += brackets.get(token) ?? 0;
    // In brackets, indicators are those of pairs beside each other.
    if (depth === 0 && indicators.has(token)) onLine += 1;
    else if (token.endsWith('\n')) onLine = 0;
    if (depth > MAX_NESTING || onLine > MAX_NESTING) return true;
  }
  return false;
}

/** Tokens, without plain and block scalars. */
function* structure(text: string): Generator<string> {
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar) yield token;
    isScalar = token === SCALAR_FOLLOWS;
  }
}
