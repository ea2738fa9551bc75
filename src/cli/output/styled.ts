import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Text for standard output in a style, where that is a terminal and `NO_COLOR` is not set. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
