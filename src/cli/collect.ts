/** For commander: the values of an option that may be given again and again. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
