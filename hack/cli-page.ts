import { readFileSync } from 'node:fs';
import { type Command, Help, type Option } from 'commander';
import { examplesOf } from '../src/cli/examples.ts';
import { exitCodes } from '../src/cli/failure.ts';
import { defaultText, describe } from '../src/cli/help.ts';
import { createProgram } from '../src/cli/program.ts';
import { generatedMark, markdownTable } from './markdown.ts';

const help = new Help();

/** What each code is for; the key is that of the code. */
const endings: Record<keyof typeof exitCodes, string> = {
  done: 'done',
  failure: 'it failed: the service cannot be reached or refuses, a file cannot be written, a template is not there',
  usage: 'the arguments are wrong, or something is missing to begin with',
  validation: 'parameters, a template or a message are not valid; each of them is told',
};

const variables = [
  ['`CLAIM_API_URL`', 'Address of the service, unless `--api` names it.'],
  ['`FRONTDESK_TOKEN`', 'Bearer token, unless `--token-file` names a file with it. It is never an argument.'],
  [
    '`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`',
    'Proxies for service and registries; for the service also in lower case.',
  ],
  ['`NO_COLOR`', 'Set, nothing is coloured. It is not either where output is no terminal.'],
  [
    '`MODULES_DIR`',
    'With `--local`: the OCI image layout with modules, unless it is `modules/oci` beside the templates.',
  ],
  [
    '`MODULE_*`, `DOCKER_CONFIG`, `HELM_BIN`, `KCL_BIN`',
    'With `--local`: as for [the service](configuration.md). Modules of registries are kept in `frontdesk/modules` of `XDG_CACHE_HOME`, or of `~/.cache`.',
  ],
];

/** The page about the command line, from the definitions of its commands and a recorded session. */
export function cliPage(): string {
  const program = createProgram('frontdesk');
  const commands = leaves(program);
  return `${generatedMark}${[
    '# The command line',
    readFileSync('docs/parts/cli-introduction.md', 'utf8').trim(),
    '## A session',
    `\`\`\`console\n${readFileSync('docs/parts/cli-session.txt', 'utf8').trimEnd()}\n\`\`\``,
    '## Commands',
    markdownTable([
      ['Command', 'Does'],
      ...commands.map((command) => [`[\`${nameOf(command)}\`](#${anchorOf(command)})`, command.description()]),
    ]),
    ...commands.map(section),
    '## Options for the service',
    optionTable(uniqueByFlags(commands.flatMap(optionsOf).filter(isShared))),
    '## Environment',
    markdownTable([['Variable', 'Meaning'], ...variables]),
    '## Exit codes',
    markdownTable([
      ['Code', 'Meaning'],
      ...Object.entries(exitCodes).map(([key, code]) => [String(code), meaning(key)]),
    ]),
  ].join('\n\n')}\n`;
}

function meaning(key: string): string {
  return Object.entries(endings).find(([name]) => name === key)?.[1] ?? '';
}

/** The commands that do something, in the order in which help lists them. */
function leaves(command: Command): Command[] {
  const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return below.length === 0 ? [command] : below.flatMap(leaves);
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function anchorOf(command: Command): string {
  return nameOf(command).replaceAll(' ', '-');
}

function section(command: Command): string {
  const options = optionsOf(command);
  const own = options.filter((option) => !isShared(option));
  const examples = examplesOf(command).map(([line, text]) => `$ frontdesk ${line}${text && `    # ${text}`}`);
  const parts = [
    `### ${nameOf(command)}`,
    `${sentence(command.description())}`,
    `\`\`\`text\n${nameOf(command)} ${command.usage()}\n\`\`\``,
    own.length > 0 && optionTable(own),
    options.length > own.length && `And the [options for the service](#options-for-the-service)${localToo(options)}.`,
    examples.length > 0 && `\`\`\`console\n${examples.join('\n')}\n\`\`\``,
  ];
  return parts.filter(Boolean).join('\n\n');
}

function optionsOf(command: Command): Option[] {
  return help.visibleOptions(command).filter(({ long }) => long !== '--help');
}

/** Those that many commands share stand under headings of their own. */
function isShared({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading !== undefined;
}

function uniqueByFlags(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.flags, option])).values()];
}

function localToo(options: readonly Option[]): string {
  return options.some(({ long }) => long === '--local') ? ', or `--local` in its place' : '';
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => {
    const fallback = defaultText(option);
    return [`\`${option.flags}\``, fallback === '' ? '' : `\`${fallback}\``, describe(option)];
  });
  return markdownTable([['Option', 'Default', 'Meaning'], ...rows]);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
