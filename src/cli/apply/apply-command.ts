import { Command } from 'commander';
import { withDeskFlags } from '../claims/open-desk.ts';
import { withOrderFlags } from '../claims/order-flags.ts';
import { withExamples } from '../examples.ts';
import type { ApplyOptions } from './apply.ts';

/** `frontdesk apply`: from the order to the cluster. */
export function applyCommand(): Command {
  const command = withOrderFlags(new Command('apply'))
    .description('order a claim, show what it changes in the cluster, ask, and apply it by kubectl')
    .argument('<template>')
    .option('-n, --namespace <name>', 'for kubectl: namespace of what names none')
    .option('--context <name>', 'for kubectl: the context to use')
    .option('--kubeconfig <file>', 'for kubectl: its configuration (default: what kubectl takes)')
    .option('--force-conflicts', 'take over fields that others have set', false)
    .option('--dry-run', 'only show what would change', false)
    .action(async (name: string, options: ApplyOptions) => {
      const { applyClaim } = await import('./apply.ts');
      await applyClaim(name, options);
    });
  return withExamples(withDeskFlags(command), [
    ['apply volumeclaim', 'asks, shows the difference, and asks once more'],
    ['apply volumeclaim -p templateName=my-data --yes', 'asks nothing'],
    ['apply volumeclaim -f parameters.yaml --dry-run', 'shows the difference alone'],
  ]);
}
