import { Command } from 'commander';
import { applyCommand } from './apply/apply-command.ts';
import { claimsCommands } from './claims/claims-commands.ts';
import { completionCommands } from './completion/completion-command.ts';
import { withPlainHelp } from './help.ts';
import { messagesCommands } from './messages/messages-commands.ts';
import { moduleCommand } from './module/module-command.ts';
import { version } from './version.ts';

/** All commands, under the name that the program was called by. Defines only: each loads its work when it is run. */
export function createProgram(name: string): Command {
  const program = new Command(name)
    .description('The front desk of a Kubernetes cluster, from the command line.')
    .version(version());
  const commands = [...claimsCommands(), applyCommand(), ...messagesCommands(), moduleCommand()];
  for (const command of commands) program.addCommand(command);
  const { shown, hidden } = completionCommands(program);
  program.addCommand(shown).addCommand(hidden, { hidden: true });
  return withPlainHelp(program);
}
