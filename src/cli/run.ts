import { CommanderError } from 'commander';
import { hasCode } from '../has-code.ts';
import { exitCodes, report } from './failure.ts';
import { withSubcommands } from './help.ts';
import { createProgram } from './program.ts';

/** Runs the command that the arguments of this process name, and sets the code that the process ends with. */
export async function run(name: string): Promise<void> {
  const program = createProgram(name);
  process.stdout.on('error', endQuietly);
  try {
    for (const command of withSubcommands(program)) command.exitOverride().showHelpAfterError('(--help tells more)');
    await program.parseAsync();
  } catch (error) {
    // What is wrong with the arguments is told already; asking for help is no error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    else report(error);
  }
}

/** Whoever reads has enough, as `head` does; that is no failure. */
function endQuietly(error: unknown): void {
  if (hasCode(error, 'EPIPE')) process.exit(exitCodes.done);
  throw error;
}
