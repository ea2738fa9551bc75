import { confirm } from '@clack/prompts';
import { answered, onTerminal } from './question.ts';

/** Asks whether to go on; Enter alone means no. */
export function askYes(message: string): Promise<boolean> {
  return answered(confirm({ ...onTerminal, message, initialValue: false }));
}
