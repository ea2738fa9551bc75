import { Argument, Command } from 'commander';
import { withExamples } from '../examples.ts';
import { type Shell, shells } from './shell.ts';

/** `frontdesk completion SHELL`, and what its scripts ask at each press of the key. */
export function completionCommands(program: Command): { shown: Command; hidden: Command } {
  const shown = new Command('completion')
    .description('print what makes a shell complete commands, options, templates and parameters')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./scripts.ts');
      process.stdout.write(completionScript(shell));
    });
  const hidden = new Command('__complete').argument('[words...]').action(async (words: string[]) => {
    const { complete } = await import('./complete.ts');
    for (const line of await complete(program, words)) console.log(line);
  });
  return {
    shown: withExamples(shown, [
      ['completion bash > ~/.local/share/bash-completion/completions/frontdesk', 'for bash'],
      ['completion zsh > "${fpath[1]}/_frontdesk"', 'for zsh'],
      ['completion fish > ~/.config/fish/completions/frontdesk.fish', 'for fish'],
    ]),
    hidden,
  };
}
