import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'tap';
import { entry, runFrontdesk } from './run-frontdesk.ts';

test('what is no command ends with 2, and says what may have been meant', async (t) => {
  const dir = t.testdir({});
  t.match(await runFrontdesk(dir, ['modul']), {
    code: 2,
    stdout: '',
    stderr: /unknown command 'modul'\n\(Did you mean module\?\)/,
  });
  t.match(await runFrontdesk(dir, ['module', 'render']), { code: 2, stderr: /missing required argument 'folder'/ });
  t.match(await runFrontdesk(dir, ['module', 'test', 'x', '--jsno']), { code: 2, stderr: /Did you mean --json/ });
});

test('help and version are no errors', async (t) => {
  const dir = t.testdir({});
  t.match(await runFrontdesk(dir, ['--help']), { code: 0, stdout: /Usage: frontdesk/ });
  t.match(await runFrontdesk(dir, ['module', 'render', '--help']), { code: 0, stdout: /--params-file <file>/ });
  const { stdout } = await runFrontdesk(dir, ['pitch', '--help']);
  t.match(stdout, /how bad it is \(info, success, warning, error,\s+critical\)/);
  t.match(stdout, /included\s+\(default: 30s\)/);
  t.notMatch(stdout, /default: (false|\[\])/);
  t.match(await runFrontdesk(dir, ['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
});

test('whoever reads no further, as head does, is no error', async (t) => {
  const args = [entry, 'stats', '--help'];
  const child = spawn(process.execPath, args, { cwd: resolve('.'), stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  t.same({ code, said }, { code: 0, said: '' });
});
