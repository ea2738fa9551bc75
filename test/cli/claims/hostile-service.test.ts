import { createServer } from 'node:http';
import { type Test, test } from 'tap';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { runFrontdesk } from '../run-frontdesk.ts';
import { skipWithoutTmux as skip, Terminal } from '../terminal.ts';

/** Turns the text after it red, on a terminal. */
const RED = '\x1b[31m';
/** How that is shown. */
const SHOWN = '\\u{1b}[31m';

const template = {
  apiVersion: 'frontdesk.dev/v1alpha1',
  kind: 'ClaimTemplate',
  metadata: { name: 'red', title: `${RED}Title`, description: `${RED}Description`, tags: [`${RED}tag`] },
  spec: {
    type: 'red',
    source: `oci://localhost/${RED}`,
    parameters: [
      { name: 'first', title: `${RED}First`, type: 'string', default: `${RED}default`, pattern: '^\x1b' },
      { name: 'second', type: 'string', enum: [`${RED}option`], description: `${RED}about` },
    ],
  },
};
const claim = `metadata:\n  name: "../../${RED}"\n# ${RED}\n`;

/** A service that sends sequences for terminals wherever text may stand. */
async function hostileService(t: Test): Promise<string[]> {
  const server = createServer((request, response) => {
    const answer = request.url?.endsWith('/order') ? { rendered: claim } : template;
    const list = { ...template, kind: 'ClaimTemplateList', items: [template] };
    response.end(JSON.stringify(request.url === '/api/v1/claim-templates' ? list : answer));
  });
  return ['--api', `http://${await listenOnLoopback(t, server)}`];
}

test('what a service sends cannot recolour a terminal, nor move its cursor', { skip }, async (t) => {
  const place = await hostileService(t);
  const commands = [
    ['templates'],
    ['template', 'red'],
    ['order', 'red', '--yes', '-o', '-'],
    ['order', 'red', '--yes', '--dry-run'],
  ];
  for (const args of commands) {
    const terminal = await Terminal.start(t, t.testdir({}), [...args, ...place], { NO_COLOR: '1' });
    await terminal.shows('ended with 0');
    t.match(await terminal.screen(), SHOWN, args.join(' '));
    t.notMatch(await terminal.screen({ styles: true }), RED, args.join(' '));
  }
});

test('neither do its questions', { skip }, async (t) => {
  const terminal = await Terminal.start(t, t.testdir({}), ['order', 'red', ...(await hostileService(t))]);
  await terminal.shows(`◆  ${SHOWN}First`);
  await terminal.type('x', 'Enter');
  await terminal.shows('must match the pattern ^\\u{1b}');
  await terminal.type('BSpace', 'Enter');
  await terminal.shows(`○ ${SHOWN}option\n│  ● none`);
  await terminal.type('Enter');
  await terminal.shows('│  /tmp/red-31m.yaml');
  t.notMatch(await terminal.screen({ styles: true }), RED);
  await terminal.type('C-c');
  await terminal.shows('ended with 1');
});

test('a program gets the claim byte for byte', async (t) => {
  const args = ['order', 'red', '-o', '-', ...(await hostileService(t))];
  t.match(await runFrontdesk(t.testdir({}), args), { code: 0, stdout: claim });
});
