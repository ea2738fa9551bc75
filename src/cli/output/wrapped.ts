import stringWidth from 'fast-string-width';

/** Text in lines of at most `width` cells, broken between words; a word that is longer has a line of its own. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && stringWidth(last) + 1 + stringWidth(word) <= width) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join('\n');
}
