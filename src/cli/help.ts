import { type Command, Help, type Option } from 'commander';

/** Has the help of a program and of all its commands leave out defaults that say nothing. */
export function withPlainHelp(program: Command): Command {
  for (const command of withSubcommands(program)) command.configureHelp({ optionDescription });
  return program;
}

function optionDescription(option: Option): string {
  return hasPlainDefault(option) ? option.description : new Help().optionDescription(option);
}

/** Not given, is what it is: a flag is off, and of what is given again and again there is nothing. */
export function hasPlainDefault({ defaultValue }: Option): boolean {
  return defaultValue === undefined || defaultValue === false || defaultValue === '' || Array.isArray(defaultValue);
}

/** A command and all those below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
