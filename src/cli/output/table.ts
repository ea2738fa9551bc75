import stringWidth from 'fast-string-width';
import { printable } from './printable.ts';

const GAP = '  ';

/** Rows in columns as wide as their widest cell, of which the first row is the head; empty columns are left out. */
export function table(rows: readonly (readonly string[])[], style: (head: string) => string = (head) => head): string {
  const cells = rows.map((row) => row.map(printable));
  const [head = []] = cells;
  const columns = head.map((_, index) => index).filter((index) => cells.slice(1).some((row) => row[index]));
  const widths = columns.map((column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))));
  const lines = cells.map((row) => columns.map((column, at) => padded(row[column] ?? '', widths[at] ?? 0)).join(GAP));
  return lines.map((line, index) => `${index === 0 ? style(line.trimEnd()) : line.trimEnd()}\n`).join('');
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - stringWidth(text), 0));
}
