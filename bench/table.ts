/** Rows of cells as text in columns: the first and the last to the left, the others to the right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  // A row of one cell is a heading: it may be wider than its column.
  const full = rows.filter((row) => row.length > 1);
  const columns = Math.max(...full.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...full.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => pad(cell, i, widths))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 || column === widths.length - 1 ? cell.padEnd(width) : cell.padStart(width);
}
