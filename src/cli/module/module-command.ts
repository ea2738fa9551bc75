import { Command } from 'commander';
import type { RenderOptions } from './render-module.ts';
import type { TestOptions } from './test-module.ts';

const collect = (value: string, before: string[]) => [...before, value];

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
    .option('--template <file>', 'the template that has the parameters (default: template.yaml in the folder)')
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
    .option('--template <file>', 'the template that has the parameters (default: template.yaml in the folder)')
    .option('--json', 'print the outcomes as JSON', false)
    .action(async (folder: string, options: TestOptions) => {
      const { testModule } = await import('./test-module.ts');
      await testModule(folder, options);
    });
  module
    .command('inspect')
    .description('tell name, version, digest and files of the module in a folder')
    .argument('<folder>')
    .option('--json', 'print JSON', false)
    .action(async (folder: string, options: { json: boolean }) => {
      const { inspectModule } = await import('./inspect-module.ts');
      await inspectModule(folder, options);
    });
  return module;
}
