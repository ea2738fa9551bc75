#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { readBuildInfo } from '../build-info.ts';
import { exitCodes, report } from './failure.ts';
import { moduleCommand } from './module/module-command.ts';

const program = new Command('frontdesk')
  .description('The front desk of a Kubernetes cluster, from the command line.')
  .version(readBuildInfo(process.env).version)
  .addCommand(moduleCommand());

try {
  for (const command of [program, ...program.commands.flatMap((group) => [group, ...group.commands])]) {
    command.exitOverride().showHelpAfterError('(--help tells more)');
  }
  await program.parseAsync();
} catch (error) {
  // What is wrong with the arguments is told already; asking for help is no error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else report(error);
}
