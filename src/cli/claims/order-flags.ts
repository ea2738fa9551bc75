import type { Command } from 'commander';
import { collect } from '../collect.ts';
import type { GivenOptions } from '../given-values.ts';
import type { DeskFlags } from './open-desk.ts';

/** What an order is made of, and whether questions may be asked. */
export interface OrderFlags extends DeskFlags, GivenOptions {
  yes: boolean;
}

export function withOrderFlags(command: Command): Command {
  return command
    .option('-p, --param <name=value>', 'a parameter; again for each', collect, [])
    .option('-f, --params-file <file>', 'parameters as YAML or JSON; - is standard input')
    .option('-y, --yes', 'ask nothing: what is not given takes its default', false);
}
