import { type CANCEL_SYMBOL, isCancel } from '@clack/prompts';
import { Failure } from '../failure.ts';

/** Questions are asked on standard error: standard output has the claim alone. */
export const onTerminal = { input: process.stdin, output: process.stderr };

/**
 * The answer to a question.
 * @throws {Failure} if it was called off, by Ctrl-C or Escape.
 */
export async function answered<T>(question: Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
  const answer = await question;
  if (isCancel(answer)) throw new Failure('failure', 'called off; nothing was done');
  return answer;
}
