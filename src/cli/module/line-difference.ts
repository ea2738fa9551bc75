import { diffLines } from 'diff';

/** Lines of the first text alone with `-` before them, those of the second alone with `+`, those of both with a space. */
export function lineDifference(expected: string, found: string): string[] {
  return diffLines(expected, found).flatMap(({ value, added, removed }) => {
    const mark = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${mark} ${line}`);
  });
}
