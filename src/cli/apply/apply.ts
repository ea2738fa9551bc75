import { takeOrder } from '../claims/order.ts';
import type { OrderFlags } from '../claims/order-flags.ts';
import { Failure } from '../failure.ts';
import { mayAsk } from '../prompts/may-ask.ts';
import { type KubectlFlags, kubectlApply, kubectlDiff } from './kubectl.ts';

export interface ApplyOptions extends OrderFlags, KubectlFlags {
  dryRun: boolean;
}

/** `frontdesk apply NAME`: orders a claim, shows what it changes in the cluster, asks, and has kubectl apply it. */
export async function applyClaim(name: string, options: ApplyOptions): Promise<void> {
  const asks = mayAsk(options);
  if (!asks && !options.yes && !options.dryRun) {
    throw new Failure('usage', 'nobody can be asked here: --yes applies without asking, --dry-run shows what changes');
  }
  const { text } = await takeOrder(name, { ...options, asks, dryRun: false });
  if (!(await kubectlDiff(text, options))) {
    console.error('the cluster has it so already');
    return;
  }
  if (options.dryRun) return;
  if (asks) await confirmed();
  await kubectlApply(text, options);
}

async function confirmed(): Promise<void> {
  const { askYes } = await import('../prompts/ask-yes.ts');
  if (!(await askYes('Apply this to the cluster?'))) throw new Failure('failure', 'called off; nothing was applied');
}
