import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { run } from './run.ts';

test('helm test passes', async (t) => {
  await installed(t);
  const printed = await run('helm', ['test', 'frontdesk', '--namespace', namespace, '--logs', '--timeout', '2m']);
  t.match(printed, /^Phase:\s+Succeeded$/m);
  t.match(printed, /is alive/);
});
