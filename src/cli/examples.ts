import type { Command } from 'commander';

/** Arguments of this command, and what they do. */
export type Example = readonly [line: string, meaning: string];

const examples = new WeakMap<Command, readonly Example[]>();

/** Has the help of `command`, and the page about it, end with examples. */
export function withExamples(command: Command, lines: readonly Example[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', ({ command }) => {
    const program = programOf(command).name();
    return `\nExamples:\n${lines.map(([line, meaning]) => `  $ ${program} ${line}\n      ${meaning}`).join('\n')}`;
  });
}

export function examplesOf(command: Command): readonly Example[] {
  return examples.get(command) ?? [];
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}
