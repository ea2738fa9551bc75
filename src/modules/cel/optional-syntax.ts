import { celToken } from './placeholders.ts';

/** Methods that the rewritten syntax calls; no module has to know them. */
export const SELECT = 'optionalSelect';
export const INDEX = 'optionalIndex';

interface Token {
  text: string;
  /** Whether it is neither white space nor a comment. */
  counts: boolean;
}

/**
 * Puts CEL's syntax of optionals, which the library's grammar does not have, into calls that it knows: `a.?b` and
 * `a[?i]`, and what is selected from them in a row; `{?k: v}` and `[?v]`, where the mark can go, since an optional
 * without value drops its key or element anyway.
 * https://github.com/google/cel-spec/wiki/proposal-246
 */
export function withoutOptionalSyntax(source: string): string {
  // Most expressions have none of it.
  return /[.[{,]\s*\?/.test(source) ? new Rewriter(tokens(source)).rewritten() : source;
}

function tokens(source: string): Token[] {
  const form = celToken();
  const found: Token[] = [];
  for (let match = form.exec(source); match !== null; match = form.exec(source)) {
    const [text] = match;
    found.push({ text, counts: text.trim() !== '' && !text.startsWith('//') });
  }
  return found;
}

class Rewriter {
  readonly #tokens: Token[];
  #output = '';
  /** What ends each bracket that is open. */
  readonly #closers: string[] = [];
  /** Whether what was read last is an optional, so that a selection from it is one, too. */
  #isOptional = false;
  /** The last token that counts. */
  #before = '';

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  rewritten(): string {
    for (let index = 0; index < this.#tokens.length; index += this.#step(index)) {}
    return this.#output;
  }

  /** Takes one token, or as many as belong together; tells how many. */
  #step(index: number): number {
    const { text = '', counts = false } = this.#tokens[index] ?? {};
    if (!counts) return this.#copy(text);
    const taken = text === '.' ? this.#select(index) : text === '[' ? this.#openIndex(index) : 0;
    if (taken > 0) return taken;
    if (text === '?' && /^[[{,]$/.test(this.#before)) return 1;
    if (text === '(' || text === '[' || text === '{') this.#closers.push(closerOf[text]);
    const closer = /^[)\]}]$/.test(text) ? this.#closers.pop() : undefined;
    // An optional index is an optional, as its closer tells.
    this.#isOptional = closer === OPTIONAL_END;
    this.#before = text;
    return this.#copy(closer === OPTIONAL_END ? ')' : text);
  }

  #copy(text: string): number {
    this.#output += text;
    return 1;
  }

  /** `.?name`, or `.name` of an optional which is no method. */
  #select(index: number): number {
    const isMarked = this.#tokens[index + 1]?.text === '?';
    const at = index + (isMarked ? 2 : 1);
    const name = this.#tokens[at]?.text ?? '';
    const isMethod = this.#tokens.slice(at + 1).find(({ counts }) => counts)?.text === '(';
    if (!/^[A-Za-z_]/.test(name) || isMethod || !(isMarked || this.#isOptional)) return 0;
    this.#output += `.${SELECT}("${name}")`;
    this.#isOptional = true;
    this.#before = name;
    return at + 1 - index;
  }

  /** `a[?`, or `[` of an optional; a list begins where nothing stands before that could have elements. */
  #openIndex(index: number): number {
    const isMarked = this.#tokens[index + 1]?.text === '?';
    const isIndex = /[A-Za-z0-9_)\]}"']$/.test(this.#before) && this.#before !== 'in';
    if (!isIndex || !(isMarked || this.#isOptional)) return 0;
    this.#closers.push(OPTIONAL_END);
    this.#output += `.${INDEX}(`;
    this.#isOptional = false;
    this.#before = '(';
    return isMarked ? 2 : 1;
  }
}

/** Stands for the `]` of an optional index. */
const OPTIONAL_END = '?]';
const closerOf = { '(': ')', '[': ']', '{': '}' } as const;
