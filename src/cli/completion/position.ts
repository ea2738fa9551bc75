import type { Argument, Command, Option } from 'commander';

/** What was read of a line so far. */
interface Progress {
  command: Command;
  operands: readonly string[];
  /** Values of options, by the long name without dashes. */
  values: Readonly<Record<string, string>>;
  /** The option whose value is to come, if it is. */
  waiting: Option | undefined;
}

/** What is to be typed at the end of a line. */
export interface Position extends Omit<Progress, 'waiting'> {
  /** The word so far. */
  current: string;
  /** Whose value it is, if it is one of an option. */
  option: Option | undefined;
  /** Whose value it is, if it is one of an argument. */
  argument: Argument | undefined;
}

/** Where the last of `words` stands, by the definitions of the commands. */
export function positionOf(program: Command, words: readonly string[]): Position {
  const start: Progress = { command: program, operands: [], values: {}, waiting: undefined };
  const { waiting, ...progress } = words.slice(0, -1).reduce(afterWord, start);
  const argument = waiting === undefined ? progress.command.registeredArguments[progress.operands.length] : undefined;
  return { ...progress, current: words.at(-1) ?? '', option: waiting, argument };
}

function afterWord(progress: Progress, word: string): Progress {
  if (progress.waiting !== undefined) return withValue(progress, progress.waiting, word);
  return word.startsWith('-') ? afterOption(progress, word) : afterOperand(progress, word);
}

/** `--name`, `-n`, or `--name=value`. */
function afterOption(progress: Progress, word: string): Progress {
  const [name = '', ...value] = word.split('=');
  const option = progress.command.options.find(({ short, long }) => short === name || long === name);
  if (option === undefined || !(option.required || option.optional)) return progress;
  return value.length === 0 ? { ...progress, waiting: option } : withValue(progress, option, value.join('='));
}

function afterOperand(progress: Progress, word: string): Progress {
  const below = progress.command.commands.find((one) => one.name() === word);
  if (below !== undefined && progress.operands.length === 0) return { ...progress, command: below };
  return { ...progress, operands: [...progress.operands, word] };
}

function withValue({ values, ...progress }: Progress, option: Option, value: string): Progress {
  return { ...progress, values: { ...values, [option.name()]: value }, waiting: undefined };
}
