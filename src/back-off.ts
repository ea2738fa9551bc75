/** Gives the pause before an attempt, the first being 1, in milliseconds. */
export type BackOff = (attempt: number) => number;

/**
 * Doubles from attempt to attempt, up to `longest`; each pause is by chance between that and half of it, so that many
 * processes do not come back at once.
 * @param random from 0 up to, without, 1
 */
export function backOff(first: number, longest: number, random: () => number): BackOff {
  return (attempt) => Math.round(Math.min(first * 2 ** (attempt - 1), longest) * (0.5 + random() / 2));
}
