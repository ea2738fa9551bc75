import stringWidth from 'fast-string-width';
import { printable } from './printable.ts';
import { styled } from './styled.ts';
import { wrapped } from './wrapped.ts';

const GAP = '  ';
/** A last column narrower than this is not broken into lines, which would be hard to read. */
const MIN_LAST = 24;

/**
 * Rows for standard output in columns as wide as their widest cell, of which the first row is the head; empty columns are
 * left out. The last column is broken into lines where a terminal is too narrow for it.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = withoutEmptyColumns(rows.map((row) => row.map(printable)));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))));
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY) - indent;
  const [head = '', ...lines] = cells.map((row) => {
    const before = row.slice(0, -1).map((cell, column) => padded(cell, widths[column] ?? 0) + GAP);
    const last = row.at(-1) ?? '';
    const text = room < MIN_LAST ? last : wrapped(last, room).replaceAll('\n', `\n${' '.repeat(indent)}`);
    return (before.join('') + text).trimEnd();
  });
  return [styled('bold', head), ...lines].map((line) => `${line}\n`).join('');
}

function withoutEmptyColumns([head = [], ...rows]: readonly (readonly string[])[]): string[][] {
  const isUsed = (_: string, column: number) => rows.some((row) => row[column]);
  return [head, ...rows].map((row) => row.filter(isUsed));
}

/** Text with spaces after it, as far as it is narrower than `width` cells. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - stringWidth(text), 0));
}
