/** Whether a number is finite, and one that has not lost digits when it was read from text. */
export function isExactNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}
