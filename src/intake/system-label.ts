/** Code points of a system label. Every label makes a counter, so none may be as long as its sender likes. */
export const MAX_SYSTEM_LABEL = 256;

/** `name` as a system label: cut if longer (the payload keeps the whole), and valid Unicode, so that all stores count it alike. */
export function systemLabel(name: string): string {
  // A code point is one or two code units: no more units than the limit means no more code points.
  if (name.length <= MAX_SYSTEM_LABEL) return name.toWellFormed();
  let end = 0;
  for (let points = 0; points < MAX_SYSTEM_LABEL && end < name.length; points++) {
    end += (name.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return name.slice(0, end).toWellFormed();
}
