import { parseArgs } from 'node:util';

export interface Options {
  /** Length of one measurement. */
  seconds: number;
  /** Measurements of each server in each row. */
  rounds: number;
  /** Part of the names of the rows to run. */
  only: string;
  /** Messages in the larger of the two stores that analytics is measured on. */
  messages: number;
}

/** @throws if an option is unknown, or no number where one is needed. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      messages: { type: 'string', default: '5000000' },
    },
  });
  return {
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    only: values.only,
    messages: positive('messages', values.messages),
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${name} must be a number above 0, not ${text}`);
}
