import type { Command, Option } from 'commander';

/** Has the help of a program and of all its commands leave out defaults that say nothing. */
export function withPlainHelp(program: Command): Command {
  const optionDescription = (option: Option) => {
    const fallback = defaultText(option);
    return describe(option) + (fallback === '' ? '' : ` (default: ${fallback})`);
  };
  for (const command of withSubcommands(program)) command.configureHelp({ optionDescription });
  return program;
}

/** What an option is for, with its choices. */
export function describe({ description, argChoices }: Option): string {
  return argChoices === undefined ? description : `${description} (${argChoices.join(', ')})`;
}

/** The default of an option; empty where that says nothing: a flag is off, and of what may be given again there is nothing. */
export function defaultText({ defaultValue }: Option): string {
  return typeof defaultValue === 'string' ? defaultValue : '';
}

/** A command and all those below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
