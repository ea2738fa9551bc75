// `npm run record`: runs a session at the command line in a real terminal, and writes it to docs/parts/cli-session.txt.
// Needs tmux and bash.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/read-config.ts';
import { buildServer } from '../src/server.ts';
import { entry } from '../test/cli/run-frontdesk.ts';
import { Terminal } from '../test/cli/terminal.ts';

/** What is typed before Enter, and what is waited for after it. */
type Step = readonly [keys: readonly string[], shows: string | RegExp];

const AUTH_TOKEN = 'a-token-for-the-recording';
const claim = '/tmp/volumeclaim-my-data.yaml';

/** The shell waits for a command. */
const prompt = /(^|\n)\$\s*$/;

const steps: readonly Step[] = [
  [['frontdesk templates'], prompt],
  [['frontdesk order volumeclaim -p namespace=shop'], '◆  Name'],
  [['C-u', 'My Data'], 'must match'],
  [['C-u', 'my-data'], '◆  Size'],
  [[], '◆  Storage class'],
  [['Down'], '◆  Save the claim as'],
  [[], prompt],
  [['frontdesk order postgresql -p username=1app -p storageSize=lots --yes -o -'], prompt],
  [["frontdesk pitch --title 'Disk almost full' --severity critical --system node-3"], prompt],
  [["frontdesk pitch --title 'Disk half full' --severity warning --system node-3"], prompt],
  [["frontdesk pitch --title 'Shop 1.4 is out' --severity success --system shop"], prompt],
  [['frontdesk stats --window 1h'], prompt],
];

const dir = mkdtempSync(join(tmpdir(), 'frontdesk-session-'));
const endings: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })];
try {
  rmSync(claim, { force: true });
  const app = await buildServer(readConfig({ AUTH_TOKEN, LOG_LEVEL: 'silent', DATA_DIR: join(dir, 'data') }));
  endings.push(() => app.close());
  const CLAIM_API_URL = await app.listen({ host: '127.0.0.1', port: 0 });
  writeFileSync(join(dir, 'frontdesk'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(join(dir, 'frontdesk'), 0o755);
  const env = { PATH: `${dir}:${process.env.PATH}`, PS1: '$ ', CLAIM_API_URL, FRONTDESK_TOKEN: AUTH_TOKEN };
  const teardown = (end: () => unknown) => endings.push(end);
  const terminal = await Terminal.run({ teardown }, dir, ['bash', '--noprofile', '--norc'], env, { lines: 200 });
  await terminal.shows(prompt);
  for (const [keys, shows] of steps) {
    await terminal.type(...keys);
    // Until it is there, the prompt before it looks like the one after it.
    const [command = ''] = keys;
    if (command.startsWith('frontdesk')) await terminal.shows(`$ ${command}`);
    await terminal.type('Enter');
    await terminal.shows(shows);
  }
  writeFileSync('docs/parts/cli-session.txt', sessionIn(await terminal.screen()));
} finally {
  for (const end of endings.reverse()) await end();
  rmSync(claim, { force: true });
}

/** Without the prompt that waits for the next command, and empty lines below it. */
function sessionIn(screen: string): string {
  return `${screen.trimEnd().replace(/\n\$$/, '').replace(/\n\$ /g, '\n\n$ ')}\n`;
}
