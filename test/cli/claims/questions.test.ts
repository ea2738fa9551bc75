import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import { desks } from '../desks.ts';
import { skipWithoutTmux as skip, Terminal } from '../terminal.ts';

const BACKSPACES = 10;

/** Somebody at a terminal, in a folder of their own. */
async function atTerminal(t: Test, args: readonly string[], env?: Record<string, string>) {
  const dir = t.testdir({});
  return { dir, terminal: await Terminal.start(t, dir, args, env) };
}

for (const [kind, open] of Object.entries(desks)) {
  test(`${kind}: each parameter that is not given is asked for; the claim is shown, and saved where one says`, {
    skip,
  }, async (t) => {
    const place = await open(t);
    const { dir, terminal } = await atTerminal(t, ['order', 'volumeclaim', '-p', 'namespace=shop', ...place]);
    await terminal.shows('◆  Name\n│  demo');
    t.match(
      await terminal.screen(),
      /┌ {2}Volume claim\n│\n│ {2}A persistent volume for one workload.*\n│\n│ {2}Name of the volume claim; unique in its namespace.\n│ {2}1 to 63 characters; like \^/,
    );
    await terminal.type(...Array(BACKSPACES).fill('BSpace'), 'Not Allowed', 'Enter');
    await terminal.shows('must match the pattern');
    await terminal.type(...Array(BACKSPACES + 1).fill('BSpace'), 'my-data', 'Enter');
    await terminal.shows('◆  Size\n│  20Gi');
    await terminal.type('Enter');
    await terminal.shows('◆  Storage class\n│  ● standard\n│  ○ fast\n│  ○ slow\n│  ○ 🎲 Random');
    await terminal.type('Down', 'Enter');
    await terminal.shows('◆  Save the claim as\n│  /tmp/volumeclaim-my-data.yaml');
    t.match(await terminal.screen(), /\n {2}name: my-data\n {2}namespace: shop\n(.*\n)* {2}storageClassName: fast\n/);
    await terminal.type('C-u', 'claim.yaml', 'Enter');
    await terminal.shows('ended with 0');
    t.match(parse(readFileSync(join(dir, 'claim.yaml'), 'utf8')), { metadata: { name: 'my-data' } });
    t.notOk(existsSync('/tmp/volumeclaim-my-data.yaml'));
  });
}

test('arrays are asked for element by element, booleans by yes and no, and what is required by all means', {
  skip,
}, async (t) => {
  const given = ['instanceClass=db.t3.micro', 'namespace=n', 'databaseName=d', 'storageSize=20', 'backupRetention=7'];
  const flags = given.flatMap((one) => ['-p', one]);
  const { terminal } = await atTerminal(t, ['order', 'postgresql', ...flags, ...(await desks.local(t)), '-o', '-']);
  await terminal.shows('◆  Administrator');
  await terminal.type('Enter');
  await terminal.shows('is required');
  await terminal.type('app', 'Enter');
  await terminal.shows('◆  Encryption\n│  ● Yes / ○ No');
  await terminal.type('Right', 'Enter');
  for (const [number, tag] of ['team=shop', 'stage=test'].entries()) {
    await terminal.shows(`element ${number + 1}`);
    await terminal.type(tag, 'Enter');
  }
  await terminal.shows('element 3');
  await terminal.type('Enter');
  await terminal.shows('ended with 0');
  const screen = await terminal.screen();
  t.match(screen, /\n {2}storageEncrypted: false\n {2}tags:\n {4}- key: team\n {6}value: shop\n {4}- key: stage\n/);
});

const oddities = `apiVersion: frontdesk.dev/v1alpha1
kind: ClaimTemplate
metadata:
  name: odd
spec:
  type: odd
  source: oci://localhost/odd
  parameters:
    - { name: secret, title: Never asked, type: string, default: kept, hidden: true }
    - { name: count, title: Count, type: integer, required: true }
    - { name: ports, title: Ports, type: array, items: { type: integer } }
    - { name: tier, title: Tier, type: string, enum: [gold, silver] }
    - { name: more, title: More, type: object }
`;

test('answers are typed by the schema; what is hidden is not asked for, and what is optional may be left out', {
  skip,
}, async (t) => {
  const dir = t.testdir({ 'odd.yaml': oddities });
  const terminal = await Terminal.start(t, dir, ['order', 'odd', '--local', 'odd.yaml', '--dry-run']);
  await terminal.shows('◆  Count');
  await terminal.type('many', 'Enter');
  await terminal.shows('must be an integer');
  await terminal.type('C-u', '3', 'Enter');
  await terminal.shows('◆  Ports, element 1');
  await terminal.type('http', 'Enter');
  await terminal.shows('element 0 must be an integer');
  await terminal.type('C-u', '80', 'Enter');
  await terminal.shows('◆  Ports, element 2');
  await terminal.type('Enter');
  await terminal.shows('○ gold\n│  ○ silver\n│  ● none');
  await terminal.type('Enter');
  await terminal.shows('◆  More');
  await terminal.type('Enter');
  await terminal.shows('Parameters validated: 3 of 5 have a value');
  await terminal.shows('ended with 0');
  t.notMatch(await terminal.screen(), 'Never asked');
});

test('of many options one is found by typing', { skip }, async (t) => {
  const regions = Array.from({ length: 40 }, (_, index) => `region-${index + 1}`);
  const template = oddities.replace('[gold, silver]', `[${regions.join(', ')}]`);
  const dir = t.testdir({ 'odd.yaml': template });
  const given = ['-p', 'count=1', '-p', 'ports=[]', '-p', 'more={}', '--dry-run'];
  const terminal = await Terminal.start(t, dir, ['order', 'odd', '--local', 'odd.yaml', ...given]);
  await terminal.shows('◆  Tier');
  await terminal.type('n-37');
  await terminal.shows('region-37');
  await terminal.type('Enter');
  await terminal.shows('◇  Tier\n│  region-37');
  await terminal.shows('ended with 0');
});

test('whoever calls it off has nothing done', { skip }, async (t) => {
  const { dir, terminal } = await atTerminal(t, [
    'order',
    'volumeclaim',
    '-o',
    'claim.yaml',
    ...(await desks.local(t)),
  ]);
  await terminal.shows('◆  Name');
  await terminal.type('C-c');
  await terminal.shows('error: called off; nothing was done\nended with 1');
  t.notOk(existsSync(join(dir, 'claim.yaml')));
});

test('another name is asked for where the file is there already', { skip }, async (t) => {
  const dir = t.testdir({
    'taken.yaml': 'before',
    'given.yaml': 'templateName: my-data\nnamespace: n\nstorage: 1Gi\n',
  });
  const args = ['order', 'volumeclaim', '-f', 'given.yaml', '-p', 'storageClassName=slow', '-o', 'taken.yaml'];
  const terminal = await Terminal.start(t, dir, [...args, ...(await desks.local(t))]);
  await terminal.shows('◆  Save the claim as\n│  taken.yaml');
  await terminal.type('Enter');
  await terminal.shows('This file is there already');
  symlinkSync(join(dir, 'nosuch'), join(dir, 'link.yaml'));
  await terminal.type('C-u', 'link.yaml', 'Enter');
  await terminal.shows(/link\.yaml.?\n└ {2}This file is there already/);
  await terminal.type('C-u', 'free.yaml', 'Enter');
  await terminal.shows('ended with 0');
  t.equal(readFileSync(join(dir, 'taken.yaml'), 'utf8'), 'before');
  t.match(readFileSync(join(dir, 'free.yaml'), 'utf8'), /name: my-data/);
});

test('with --yes nothing is asked, also at a terminal', { skip }, async (t) => {
  const dir = t.testdir({});
  const args = ['order', 'volumeclaim', '--yes', '-o', 'claim.yaml', ...(await desks.local(t))];
  const terminal = await Terminal.start(t, dir, args);
  await terminal.shows('claim.yaml\nended with 0');
});

test('colours are for terminals, unless NO_COLOR is set', { skip }, async (t) => {
  const args = ['templates', ...(await desks.local(t))];
  const coloured = await atTerminal(t, args);
  await coloured.terminal.shows('ended with 0');
  t.match(await coloured.terminal.screen({ styles: true }), '\x1b[1mNAME');
  const plain = await atTerminal(t, args, { NO_COLOR: '1' });
  await plain.terminal.shows('ended with 0');
  t.notMatch(await plain.terminal.screen({ styles: true }), '\x1b[1m');
});
