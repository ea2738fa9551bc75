import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Test, test } from 'tap';
import { listenApp } from '../../app.ts';
import { dataFolder } from '../data-folder.ts';
import { entry, runFrontdesk } from '../run-frontdesk.ts';
import { skipWithoutTmux, Terminal } from '../terminal.ts';

const templates = resolve('templates');
const shells = ['bash', 'zsh', 'fish'] as const;
const skipWithout = (shell: string) => spawnSync(shell, ['-c', 'true']).status !== 0 && `${shell} is not installed`;

/** What the words become, one a line. */
async function completed(t: Test, words: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runFrontdesk(t.testdir({}), ['__complete', '--', ...words], { env });
  t.same({ code, stderr }, { code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}
const first = (lines: readonly string[]) => lines.map((line) => line.split('\t')[0]);

test('commands, options and choices are completed by their definitions', async (t) => {
  t.same(await completed(t, ['temp']), [
    'templates\tlist what can be ordered',
    'template\ttell the parameters of a template',
  ]);
  t.same(first(await completed(t, ['module', 'pu'])), ['push', 'pull']);
  t.same(first(await completed(t, ['order', '--d'])), ['--dry-run']);
  t.same(first(await completed(t, ['pitch', '--severity', ''])), ['info', 'success', 'warning', 'error', 'critical']);
  t.same(first(await completed(t, ['completion', ''])), ['bash', 'zsh', 'fish']);
  t.same(await completed(t, ['stats', '--window', '']), []);
  t.notOk(first(await completed(t, [''])).includes('__complete'));
});

test('where a file may stand, that is said', async (t) => {
  t.same(await completed(t, ['order', 'x', '-f', '']), [':files']);
  t.same(await completed(t, ['templates', '--local', 'te']), [':files']);
  t.same(await completed(t, ['module', 'test', '']), [':files']);
  t.same(first(await completed(t, ['module', 'test', '--j'])), ['--json']);
});

test('templates and their parameters are completed by what the desk has', async (t) => {
  t.same(await completed(t, ['order', '--local', templates, 'v']), ['volumeclaim\tVolume claim']);
  const ofParameters = ['order', `--local=${templates}`, 'volumeclaim', '-p', 'storageC'];
  t.same(first(await completed(t, ofParameters)), [
    'storageClassName=',
    'storageClassName=standard',
    'storageClassName=fast',
    'storageClassName=slow',
  ]);
  const { url } = await listenApp(t, { DATA_DIR: await dataFolder(t) });
  t.same(first(await completed(t, ['apply', 'post'], { CLAIM_API_URL: url })), ['postgresql']);
});

test('where no desk can be asked, there is nothing to complete, and no word of it', async (t) => {
  t.same(await completed(t, ['order', '']), []);
  t.same(await completed(t, ['order', ''], { CLAIM_API_URL: 'http://127.0.0.1:1' }), []);
  t.same(await completed(t, ['order', '--local', 'nosuch', '']), []);
});

for (const shell of shells) {
  test(`the script for ${shell} is well formed`, { skip: skipWithout(shell) }, async (t) => {
    const dir = t.testdir({});
    const { code, stdout } = await runFrontdesk(dir, ['completion', shell]);
    t.equal(code, 0);
    writeFileSync(join(dir, 'script'), stdout);
    const check = spawnSync(shell, ['-n', join(dir, 'script')]);
    t.same({ status: check.status, stderr: check.stderr.toString() }, { status: 0, stderr: '' });
  });
}

/** A shell at a terminal that has read the script, and calls this command by its name. */
async function shellWithScript(t: Test, shell: string, start: readonly string[]): Promise<Terminal> {
  const dir = t.testdir({ 'given.yaml': '' });
  symlinkSync(templates, join(dir, 't'));
  writeFileSync(join(dir, 'frontdesk'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(join(dir, 'frontdesk'), 0o755);
  const { stdout } = await runFrontdesk(dir, ['completion', shell]);
  writeFileSync(join(dir, 'script'), stdout);
  const env = { PATH: `${dir}:${process.env.PATH}`, PS1: '> ', ZDOTDIR: dir };
  return Terminal.run(t, dir, [shell, ...start], env);
}

const starts = {
  bash: ['--noprofile', '--norc'],
  zsh: ['-f'],
  fish: ['--private', '--no-config'],
};
const reads = {
  bash: 'source ./script',
  zsh: 'autoload -U compinit; compinit -u -D; source ./script',
  fish: 'source ./script',
};

for (const shell of shells) {
  test(`in ${shell} a line is completed as one types`, { skip: skipWithoutTmux || skipWithout(shell) }, async (t) => {
    const terminal = await shellWithScript(t, shell, starts[shell]);
    await terminal.type(`${reads[shell]}; echo re''ady`, 'Enter');
    await terminal.shows('\nready');
    await terminal.type('frontdesk ord', 'Tab');
    await terminal.shows('frontdesk order');
    await terminal.type('--local t vol', 'Tab');
    await terminal.shows('volumeclaim');
    await terminal.type('-p storageClassName=st', 'Tab');
    await terminal.shows('storageClassName=standard');
    await terminal.type('-f giv', 'Tab');
    await terminal.shows('given.yaml');
    t.match(
      await terminal.screen(),
      'frontdesk order --local t volumeclaim -p storageClassName=standard -f given.yaml',
    );
  });
}
