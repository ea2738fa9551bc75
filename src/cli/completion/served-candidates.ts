import type { Parameter } from '../../catalog/claim-template.ts';
import { openDesk } from '../claims/open-desk.ts';
import { printable } from '../output/printable.ts';
import type { Candidate } from './complete.ts';
import type { Position } from './position.ts';

/** Somebody waits with a finger on the key. */
const TIMEOUT = '3s';
/** What no shell takes for anything else, and needs no quotes. */
const plainWord = /^[A-Za-z0-9@%+,./_-]+$/;

/** The templates of the desk that the line names. */
export async function templateCandidates({ values }: Position): Promise<Candidate[]> {
  await using desk = await openDesk(flagsIn(values));
  const templates = await desk.list({ tags: [], search: '' });
  return templates.map(({ metadata }) => [metadata.name, printable(metadata.title ?? '')]);
}

/** Of the template that the line names: its parameters, and after `name=` the values that are allowed. */
export async function parameterCandidates({ values, operands }: Position): Promise<Candidate[]> {
  const [template] = operands;
  if (template === undefined) return [];
  await using desk = await openDesk(flagsIn(values));
  const { spec } = await desk.template(template);
  const shown = spec.parameters.filter(({ hidden }) => !hidden);
  return shown.flatMap((parameter) => {
    const { name, title } = parameter;
    const allowed = optionsOf(parameter).map((value): Candidate => [`${name}=${value}`, '']);
    return [[`${name}=`, printable(title ?? '')], ...allowed];
  });
}

function optionsOf({ type, enum: options }: Parameter): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : (options ?? []).filter((option) => plainWord.test(option));
}

function flagsIn(values: Readonly<Record<string, string>>) {
  const { api, local, 'token-file': tokenFile, 'ca-file': caFile } = values;
  return {
    timeout: TIMEOUT,
    ...(api !== undefined && { api }),
    ...(local !== undefined && { local }),
    ...(tokenFile !== undefined && { tokenFile }),
    ...(caFile !== undefined && { caFile }),
  };
}
