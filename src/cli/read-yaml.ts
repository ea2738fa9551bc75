import { parse } from 'yaml';
import { reasonOf } from '../reason-of.ts';
import { Failure } from './failure.ts';
import { readInput } from './read-input.ts';

/** Aliases that a file may expand. */
const MAX_ALIASES = 100;

/**
 * The content of a YAML or JSON file; `-` is standard input.
 * @param option names it in errors
 * @throws {Failure} if it cannot be read, is too large, or is no YAML.
 */
export async function readYaml(file: string, option: string): Promise<unknown> {
  const content = await readInput(file, option);
  try {
    return parse(content, { maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw new Failure('usage', `${option} ${file}: ${reasonOf(cause)}`, [], { cause });
  }
}
