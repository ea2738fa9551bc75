import { text } from '@clack/prompts';
import { printable } from '../output/printable.ts';
import { answered, onTerminal } from './question.ts';

export interface Line {
  placeholder: string | undefined;
  initialValue?: string;
  /** Why it is refused, if it is. */
  refusal: (line: string) => string | undefined;
}

/** Asks for a line of text until it is not refused; an empty one is one too. */
export async function askLine(message: string, { placeholder, initialValue = '', refusal }: Line): Promise<string> {
  const prefilled = editable(initialValue);
  const question = text({
    ...onTerminal,
    message,
    ...(placeholder !== undefined && { placeholder: printable(placeholder) }),
    ...(prefilled && { initialValue: prefilled }),
    validate: (line = '') => {
      const reason = refusal(line);
      return reason === undefined ? undefined : printable(reason);
    },
  });
  return (await answered<string | undefined>(question)) ?? '';
}

/** What cannot be shown as it is cannot be edited either; left empty, it is taken all the same. */
function editable(value: string): string {
  return printable(value) === value ? value : '';
}
