import type { ClaimTemplate } from '../../catalog/claim-template.ts';
import type { Json } from '../../modules/module.ts';
import { givenValues } from '../given-values.ts';
import { printableLines } from '../output/printable.ts';
import { mayAsk } from '../prompts/may-ask.ts';
import type { ClaimDesk, TakenOrder } from './claim-desk.ts';
import { defaultFile, saveClaim } from './claim-file.ts';
import { openDesk } from './open-desk.ts';
import type { OrderFlags } from './order-flags.ts';
import { resourceName } from './resource-name.ts';

export interface OrderOptions extends OrderFlags {
  output?: string;
  force: boolean;
  dryRun: boolean;
  json: boolean;
}

/** `frontdesk order NAME`: asks for what is not given, has the claim rendered, shows it and saves it. */
export async function orderClaim(name: string, options: OrderOptions): Promise<void> {
  const asks = !options.json && mayAsk(options);
  const order = await takeOrder(name, { ...options, asks });
  if (options.dryRun || options.output === '-') return print(options, { template: name, ...order, file: null });
  const proposed = options.output ?? defaultFile(name, resourceName(order.text));
  const file = asks ? await confirmed(proposed, order.text, options) : proposed;
  await saveClaim(file, order.text, options);
  if (options.json) return print(options, { template: name, ...order, file });
  // The path alone, so that a script can take it.
  console.log(file);
}

/** The order of a template, with what is given and, where `asks`, with answers to what is not. */
export async function takeOrder(
  name: string,
  options: OrderFlags & { dryRun: boolean; asks: boolean },
): Promise<TakenOrder> {
  await using desk: ClaimDesk = await openDesk(options);
  const template = await desk.template(name);
  const given = await givenValues(template.spec.parameters, options);
  const parameters = options.asks ? await completed(template, given) : given;
  return desk.order(name, { parameters, dryRun: options.dryRun });
}

async function completed(template: ClaimTemplate, given: Record<string, Json>): Promise<Record<string, Json>> {
  const { askParameters } = await import('../prompts/ask-parameters.ts');
  return askParameters(template, given);
}

async function confirmed(file: string, claim: string, { force }: OrderOptions): Promise<string> {
  const { askFile } = await import('../prompts/ask-file.ts');
  process.stderr.write(`\n${printableLines(claim)}\n`);
  return askFile(file, { force });
}

interface Printed extends TakenOrder {
  template: string;
  file: string | null;
}

/** A file or a program gets the claim byte for byte, a terminal what it can show. */
function print({ json }: OrderOptions, { text, ...order }: Printed): void {
  if (json) console.log(JSON.stringify({ ...order, claim: text }));
  else process.stdout.write(process.stdout.isTTY ? printableLines(text) : text);
}
