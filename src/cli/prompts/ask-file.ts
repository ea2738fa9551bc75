import { lstatSync } from 'node:fs';
import { text } from '@clack/prompts';
import { answered, onTerminal } from './question.ts';

/** Asks where the claim is to be saved. */
export async function askFile(proposed: string, { force }: { force: boolean }): Promise<string> {
  return answered(
    text({
      ...onTerminal,
      message: 'Save the claim as',
      initialValue: proposed,
      validate: (path = '') => {
        if (path === '') return 'Name a file; Ctrl-C calls it off.';
        // A link counts, also one that leads nowhere.
        const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
        return isThere && !force ? 'This file is there already; --force would replace it.' : undefined;
      },
    }),
  );
}
