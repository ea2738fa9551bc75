import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Text in a style, where what it is printed to is a terminal and `NO_COLOR` is not set. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}
