import { type Command, Help } from 'commander';
import { type Position, positionOf } from './position.ts';
import { parameterCandidates, templateCandidates } from './served-candidates.ts';

/** What may stand at a place, and what it is. */
export type Candidate = readonly [word: string, description: string];

/** Said in place of candidates, where any file may stand. */
const FILES = ':files';
/** Names of values that are paths. */
const paths = new Set(['file', 'pem', 'folder', 'place']);

/**
 * The lines that a script asks for: what the last of `words` may become, a tab, and what that is; or that it is a file.
 * Whatever goes wrong, there is nothing to say about it while somebody types.
 */
export async function complete(program: Command, words: readonly string[]): Promise<string[]> {
  const position = positionOf(program, words);
  if (isPath(position)) return [FILES];
  const candidates = await candidatesAt(position).catch(() => []);
  return candidates
    .filter(([word]) => word.startsWith(position.current))
    .map(([word, description]) => `${word}\t${description}`);
}

function isPath({ option, argument, current }: Position): boolean {
  if (current.startsWith('-') && option === undefined) return false;
  return paths.has(option?.flags.match(/<(.*)>/)?.[1] ?? argument?.name() ?? '');
}

async function candidatesAt(position: Position): Promise<Candidate[]> {
  const { command, current, option, argument, operands } = position;
  if (option?.long === '--param') return parameterCandidates(position);
  if (option !== undefined) return choices(option.argChoices);
  if (current.startsWith('-')) return optionsOf(command);
  if (argument?.name() === 'template') return templateCandidates(position);
  if (argument !== undefined) return choices(argument.argChoices);
  return operands.length === 0 ? commandsOf(command) : [];
}

function choices(allowed: readonly string[] | undefined): Candidate[] {
  return (allowed ?? []).map((choice) => [choice, '']);
}

function optionsOf(command: Command): Candidate[] {
  const options = new Help().visibleOptions(command);
  return options.map((option) => [option.long ?? option.flags, option.description]);
}

function commandsOf(command: Command): Candidate[] {
  return new Help().visibleCommands(command).map((one) => [one.name(), one.description()]);
}
