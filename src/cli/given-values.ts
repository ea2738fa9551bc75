import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse } from 'yaml';
import type { Parameter } from '../catalog/claim-template.ts';
import type { Json } from '../modules/module.ts';
import { Failure } from './failure.ts';
import { readYaml } from './read-yaml.ts';

export interface GivenOptions {
  /** `name=value`, each. */
  param: readonly string[];
  /** YAML or JSON; `-` is standard input. */
  paramsFile?: string;
}

const Values = Type.Record(Type.String(), Type.Unsafe<Json>(Type.Unknown()));

/**
 * The values that options give to `parameters`: those of the file, and over them those given one by one, as the type of the
 * parameter has them. What does not fit its type stays text, and is refused as such where values are checked.
 * @throws {Failure} naming the option.
 */
export async function givenValues(
  parameters: readonly Parameter[],
  { param, paramsFile }: GivenOptions,
): Promise<Record<string, Json>> {
  const values = paramsFile === undefined ? {} : await readValues(paramsFile);
  for (const given of param) {
    const at = given.indexOf('=');
    if (at < 1) throw new Failure('usage', `--param ${given}: write name=value`);
    const name = given.slice(0, at);
    const type = parameters.find((parameter) => parameter.name === name)?.type ?? 'string';
    values[name] = typedValue(type, given.slice(at + 1));
  }
  return values;
}

async function readValues(file: string): Promise<Record<string, Json>> {
  const values = (await readYaml(file, '--params-file')) ?? {};
  if (!Value.Check(Values, values)) throw new Failure('usage', `--params-file ${file}: it is no object of parameters`);
  return { ...values };
}

/** What somebody wrote, as a value of a type; what is none of it stays text, which the check of the parameter refuses. */
export function typedValue(type: Parameter['type'], written: string): Json {
  if (type === 'string') return written;
  try {
    return parse(written, { maxAliasCount: 0 });
  } catch {
    return written;
  }
}
