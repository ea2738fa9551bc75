import { Command } from 'commander';
import { collect } from '../collect.ts';
import { withExamples } from '../examples.ts';
import { withDeskFlags } from './open-desk.ts';
import type { OrderOptions } from './order.ts';
import { withOrderFlags } from './order-flags.ts';
import type { TemplateOptions } from './template.ts';
import type { TemplatesOptions } from './templates.ts';

/** What claims are ordered with. */
export function claimsCommands(): Command[] {
  return [templatesCommand(), templateCommand(), orderCommand()];
}

function templatesCommand(): Command {
  const command = new Command('templates')
    .description('list what can be ordered')
    .option('--tag <tag>', 'only those with this tag; again for further tags', collect, [])
    .option('--search <text>', 'only those with this text in name, title, description or a tag', '')
    .option('--json', 'print JSON', false)
    .action(async (options: TemplatesOptions) => {
      const { listTemplates } = await import('./templates.ts');
      await listTemplates(options);
    });
  return withExamples(withDeskFlags(command), [
    ['templates --tag storage', 'those about storage'],
    ['templates --local templates', 'those in a folder, without a service'],
  ]);
}

function templateCommand(): Command {
  const command = new Command('template')
    .description('tell the parameters of a template')
    .argument('<template>')
    .option('--json', 'print JSON', false)
    .action(async (name: string, options: TemplateOptions) => {
      const { showTemplate } = await import('./template.ts');
      await showTemplate(name, options);
    });
  return withExamples(withDeskFlags(command), [['template volumeclaim', 'what an order of a volume may say']]);
}

function orderCommand(): Command {
  const command = withOrderFlags(new Command('order'))
    .description('order a claim: ask for what is not given, show it, and save it')
    .argument('<template>')
    .option('-o, --output <file>', 'where to; - is standard output (default: /tmp/<template>-<resource>.yaml)')
    .option('--force', 'replace the file if it is there', false)
    .option('--dry-run', 'check the parameters only, and save nothing', false)
    .option('--json', 'ask nothing, and print values, claim and file as JSON', false)
    .action(async (name: string, options: OrderOptions) => {
      const { orderClaim } = await import('./order.ts');
      await orderClaim(name, options);
    });
  return withExamples(withDeskFlags(command), [
    ['order volumeclaim', 'asks, shows and saves'],
    ['order volumeclaim -p storage=5Gi --yes -o -', 'asks nothing, and prints the claim'],
    ['order postgresql -f parameters.yaml --dry-run --yes', 'checks parameters in a pipeline'],
  ]);
}
