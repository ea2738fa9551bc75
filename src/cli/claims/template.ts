import type { ClaimTemplate, Parameter } from '../../catalog/claim-template.ts';
import { printable } from '../output/printable.ts';
import { styled } from '../output/styled.ts';
import { table } from '../output/table.ts';
import { type DeskFlags, openDesk } from './open-desk.ts';
import { defaultOf, rulesText, typeText, valueText } from './rules-text.ts';

export interface TemplateOptions extends DeskFlags {
  json: boolean;
}

/** `frontdesk template NAME`: tells what an order of it may have. Parameters that are hidden are not told to people. */
export async function showTemplate(name: string, { json, ...flags }: TemplateOptions): Promise<void> {
  await using desk = await openDesk(flags);
  const template = await desk.template(name);
  process.stdout.write(json ? `${JSON.stringify(template)}\n` : templateText(template));
}

function templateText({ metadata, spec }: ClaimTemplate): string {
  const shown = spec.parameters.filter(({ hidden }) => !hidden);
  const about = [
    styled('bold', printable([metadata.name, metadata.title].filter(Boolean).join(': '))),
    ...(metadata.description === undefined ? [] : [printable(metadata.description)]),
    styled('dim', printable(`${spec.source}${spec.tag === undefined ? '' : `:${spec.tag}`}`)),
  ].join('\n');
  if (shown.length === 0) return `${about}\n\nIt has no parameters to give.\n`;
  const head = ['PARAMETER', 'TYPE', '', 'DEFAULT', 'RULES', 'DESCRIPTION'];
  return `${about}\n\n${table([head, ...shown.map(rowOf)])}`;
}

function rowOf(parameter: Parameter): string[] {
  const { name, title, description, required } = parameter;
  const fallback = defaultOf(parameter);
  return [
    name,
    typeText(parameter),
    required && fallback === undefined ? 'required' : '',
    valueText(fallback),
    rulesText(parameter),
    description ?? title ?? '',
  ];
}
