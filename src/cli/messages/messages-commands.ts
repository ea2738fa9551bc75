import { Command, Option } from 'commander';
import { severities } from '../../messages/message.ts';
import { withApiFlags } from '../api/api-flags.ts';
import { collect } from '../collect.ts';
import { withExamples } from '../examples.ts';
import type { PitchOptions } from './pitch.ts';
import type { StatsOptions } from './stats.ts';

/** What messages are sent, and looked at, with. */
export function messagesCommands(): Command[] {
  return [pitchCommand(), statsCommand()];
}

function pitchCommand(): Command {
  const command = new Command('pitch')
    .description('send a message')
    .option('--name <label>', 'label of the message (default: its title)')
    .option('--title <text>', 'one line that says what it is about')
    .option('--message <text>', 'the text of it; - is standard input')
    .addOption(new Option('--severity <severity>', 'how bad it is').choices(severities))
    .option('--system <name>', 'what it is about: a host, a service, a repository')
    .option('--repository <name>', 'the repository it comes from')
    .option('--url <url>', 'where more is to be read')
    .option('--tag <tag>', 'again for each', collect, [])
    .option('--payload-file <file>', 'further content as a YAML or JSON object; - is standard input')
    .option('--idempotency-key <key>', 'the same within 24 h is stored once (default: by chance)')
    .option('--json', 'print the answer as JSON', false)
    .action(async (options: PitchOptions) => {
      const { pitchMessage } = await import('./pitch.ts');
      await pitchMessage(options);
    });
  return withExamples(withApiFlags(command), [
    ["pitch --title 'Disk almost full' --severity warning --system node-3", ''],
    ["pitch --title 'Nightly backup' --severity error --message - < backup.log", 'with text from a file'],
  ]);
}

function statsCommand(): Command {
  const command = new Command('stats')
    .description('tell how things stand: messages by severity and by system, and alerts')
    .option('--window <duration>', 'how far back: 90m, 24h, or all', '24h')
    .option('--watch', 'again and again, until interrupted', false)
    .option('--interval <duration>', 'with --watch: how often', '5s')
    .option('--json', 'print JSON; with --watch, one line each time', false)
    .action(async (options: StatsOptions) => {
      const { showStats } = await import('./stats.ts');
      await showStats(options);
    });
  return withExamples(withApiFlags(command), [
    ['stats --window 1h --watch', 'on a screen'],
    ['stats --json | jq .alerts.totalAlerts', 'in a script'],
  ]);
}
