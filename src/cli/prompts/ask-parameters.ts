import { autocomplete, confirm, intro, log, select } from '@clack/prompts';
import type { ClaimTemplate, Parameter } from '../../catalog/claim-template.ts';
import { compileParameter, MAX_ITEMS, type ParameterCheck } from '../../catalog/parameter-check.ts';
import type { Json } from '../../modules/module.ts';
import { RANDOM_OPTION } from '../../orders/resolve-values.ts';
import { defaultOf, formText, typeText, valueText } from '../claims/rules-text.ts';
import { typedValue } from '../given-values.ts';
import { printable } from '../output/printable.ts';
import { styled } from '../output/styled.ts';
import { wrapped } from '../output/wrapped.ts';
import { askLine } from './ask-line.ts';
import { answered, onTerminal } from './question.ts';

/** Most options that are shown at a time. */
const MAX_SHOWN = 12;
/** What stands before each line beside a question, in cells. */
const GUIDE_WIDTH = 3;

/**
 * Asks for each parameter that is neither given nor hidden, and checks each answer by the rules of the service.
 * @throws {Failure} if it is called off.
 */
export async function askParameters(
  { metadata, spec }: ClaimTemplate,
  given: Readonly<Record<string, Json>>,
): Promise<Record<string, Json>> {
  intro(printable(metadata.title ?? metadata.name), onTerminal);
  aside([metadata.description]);
  const values = { ...given };
  for (const parameter of spec.parameters) {
    if (parameter.hidden || Object.hasOwn(given, parameter.name)) continue;
    explain(parameter);
    const value = await ask(parameter);
    if (value !== undefined) values[parameter.name] = value;
  }
  return values;
}

/** @returns undefined for no value: the parameter is optional, or has a default. */
function ask(parameter: Parameter): Promise<Json | undefined> {
  if (parameter.enum !== undefined) return askOption(parameter, parameter.enum);
  if (parameter.type === 'boolean') return askBoolean(parameter);
  if (parameter.type === 'array') return askElements(parameter);
  return askText(parameter);
}

/** What is to be known before the question, above it. */
function explain(parameter: Parameter): void {
  aside([parameter.description, formText(parameter)]);
}

/** Beside the questions, in as many lines as it takes. */
function aside(texts: readonly (string | undefined)[]): void {
  const { columns = 80 } = process.stderr;
  const lines = texts.flatMap((text) => (text ? [wrapped(printable(text), columns - GUIDE_WIDTH)] : []));
  if (lines.length > 0) log.message(styled('dim', lines.join('\n'), process.stderr), onTerminal);
}

function messageOf({ name, title }: Parameter): string {
  return printable(title ?? name);
}

async function askOption(parameter: Parameter, allowed: readonly string[]): Promise<Json | undefined> {
  const names = parameter.allowRandom ? [...allowed, RANDOM_OPTION] : allowed;
  const options: { value: { name: string | undefined }; label: string }[] = names.map((name) => ({
    value: { name },
    label: printable(name),
  }));
  if (!parameter.required && parameter.default === undefined)
    options.push({ value: { name: undefined }, label: 'none' });
  const initial = options.find(({ value }) => value.name === parameter.default);
  // Of many, one is sooner typed than found.
  const choose = options.length > MAX_SHOWN ? autocomplete : select;
  const question = choose({
    ...onTerminal,
    message: messageOf(parameter),
    options,
    maxItems: MAX_SHOWN,
    ...(initial && { initialValue: initial.value }),
  });
  return (await answered(question)).name;
}

function askBoolean(parameter: Parameter): Promise<boolean> {
  const initialValue = parameter.default === true;
  return answered(confirm({ ...onTerminal, message: messageOf(parameter), initialValue }));
}

async function askText(parameter: Parameter): Promise<Json | undefined> {
  const { type, 'ui:options': hints } = parameter;
  const check = compileParameter(parameter);
  const written = await askLine(messageOf(parameter), {
    placeholder: hints?.placeholder,
    initialValue: valueText(defaultOf(parameter)),
    refusal: (line) => (line === '' ? refusalOfNone(parameter) : check(typedValue(type, line))[0]),
  });
  return written === '' ? undefined : typedValue(type, written);
}

/** One question for each element, until one is left empty. */
async function askElements(parameter: Parameter): Promise<Json | undefined> {
  const check: ParameterCheck = compileParameter(parameter);
  const type = parameter.items?.type ?? 'string';
  const fallback = defaultOf(parameter);
  const values: Json[] = [];
  while (values.length < MAX_ITEMS) {
    const isFirst = values.length === 0;
    const ends = isFirst && fallback !== undefined ? `empty for ${printable(valueText(fallback))}` : 'empty ends';
    const written = await askLine(`${messageOf(parameter)}, element ${values.length + 1}, ${ends}`, {
      placeholder: typeText(parameter),
      refusal: (line) => {
        if (line !== '') return check([typedValue(type, line)])[0];
        return isFirst ? refusalOfNone(parameter) : undefined;
      },
    });
    if (written === '') break;
    values.push(typedValue(type, written));
  }
  return values.length === 0 ? undefined : values;
}

function refusalOfNone({ required, default: fallback }: Parameter): string | undefined {
  return required && fallback === undefined ? 'is required' : undefined;
}
