import { Command } from 'commander';
import { collect } from '../collect.ts';
import type { InspectOptions } from './inspect-module.ts';
import type { PullOptions } from './pull-module.ts';
import type { PushOptions } from './push-module.ts';
import { withRegistryFlags } from './registry-flags.ts';
import type { RenderOptions } from './render-module.ts';
import type { TestOptions } from './test-module.ts';

const template = [
  '--template <file>',
  'the template that has the parameters (default: template.yaml in the folder)',
] as const;

/** `frontdesk module …`: what a template author makes, tests and publishes modules with. */
export function moduleCommand(): Command {
  const module = new Command('module').description('make, test and look at modules');
  module
    .command('init')
    .description('make a folder with a module, a template and tests to begin with')
    .argument('<folder>', 'a new or empty folder; its name is that of the module')
    .action(async (folder: string) => {
      const { initModule } = await import('./init-module.ts');
      await initModule(folder);
    });
  module
    .command('render')
    .description('print the claim that the module in a folder renders')
    .argument('<folder>')
    .option('-p, --param <name=value>', 'a parameter; again for each', collect, [])
    .option('-f, --params-file <file>', 'parameters as YAML or JSON; - is standard input')
    .option(...template)
    .option('--watch', 'render again after each change, until interrupted', false)
    .option('--json', 'print digest, values and claim as JSON', false)
    .action(async (folder: string, options: RenderOptions) => {
      const { renderModule } = await import('./render-module.ts');
      await renderModule(folder, options);
    });
  module
    .command('test')
    .description('render the cases in tests.yaml, and compare')
    .argument('<folder>')
    .option(...template)
    .option('--json', 'print the outcomes as JSON', false)
    .action(async (folder: string, options: TestOptions) => {
      const { testModule } = await import('./test-module.ts');
      await testModule(folder, options);
    });
  withRegistryFlags(module.command('push'))
    .description('publish the module in a folder to a registry, and print its digest')
    .argument('<folder>')
    .argument('<oci://registry/path>', 'where to; under the version of the module unless it has a tag')
    .option('--with-template', 'with template.yaml, for `frontdesk order --local oci://…`', false)
    .option('--json', 'print JSON', false)
    .action(async (folder: string, source: string, options: PushOptions) => {
      const { pushModule } = await import('./push-module.ts');
      await pushModule(folder, source, options);
    });
  withRegistryFlags(module.command('pull'))
    .description('write the files of a published module into a folder')
    .argument('<oci://registry/path:tag>')
    .option('-o, --output <folder>', 'a new or empty folder (default: the last part of the path)')
    .action(async (source: string, options: PullOptions) => {
      const { pullModule } = await import('./pull-module.ts');
      await pullModule(source, options);
    });
  withRegistryFlags(module.command('inspect'))
    .description('tell name, version, digest and files of a module')
    .argument('<place>', 'a folder, or oci://registry/path:tag')
    .option('--json', 'print JSON', false)
    .action(async (place: string, options: InspectOptions) => {
      const { inspectModule } = await import('./inspect-module.ts');
      await inspectModule(place, options);
    });
  return module;
}
