import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import type { OpenDesk } from '../desks.ts';
import { runFrontdesk } from '../run-frontdesk.ts';

/** What every desk must do, by whichever arguments `open` names it; it has the built-in templates. */
export function deskContract(kind: string, open: OpenDesk): void {
  /** Runs commands at such a desk, in a folder of their own. */
  async function atDesk(t: Test) {
    const dir = t.testdir({});
    const place = await open(t);
    const run = (args: readonly string[], input?: string) =>
      runFrontdesk(dir, [...args, ...place], input === undefined ? {} : { input });
    return { dir, run };
  }

  test(`${kind}: templates are listed by name, for people and for scripts, and filtered by tag and text`, async (t) => {
    const { run } = await atDesk(t);
    const { code, stdout } = await run(['templates']);
    t.equal(code, 0);
    t.match(
      stdout,
      /^NAME +TITLE +TAGS +DESCRIPTION\npostgresql +PostgreSQL database +aws, .*\nvolumeclaim +Volume claim/,
    );
    const names = async (...args: string[]) => {
      const listed: { metadata: { name: string } }[] = JSON.parse((await run(['templates', '--json', ...args])).stdout);
      return listed.map(({ metadata }) => metadata.name);
    };
    t.same(await names(), ['postgresql', 'volumeclaim']);
    t.same(await names('--tag', 'Storage', '--tag', 'kubernetes'), ['volumeclaim']);
    t.same(await names('--search', 'rds'), ['postgresql']);
    t.match(await run(['templates', '--tag', 'nosuch']), { code: 0, stdout: '', stderr: 'no template matches\n' });
  });

  test(`${kind}: a template is told as a table of its parameters`, async (t) => {
    const { run } = await atDesk(t);
    const { stdout } = await run(['template', 'volumeclaim']);
    t.match(
      stdout,
      /^volumeclaim: Volume claim\n.*\noci:\/\/registry.frontdesk.dev\/modules\/volumeclaim:0.1.0\n\nPARAMETER/,
    );
    t.match(stdout, /\nstorageClassName +string +standard +one of standard, fast, slow, or by chance +Kind of storage/);
    t.match((await run(['template', 'postgresql'])).stdout, /\nusername +string +required +/);
    t.match(JSON.parse((await run(['template', 'volumeclaim', '--json'])).stdout), {
      kind: 'ClaimTemplate',
      spec: { type: 'volumeclaim' },
    });
  });

  test(`${kind}: an order is typed by the schema of the template, from a file, standard input and arguments`, async (t) => {
    const { dir, run } = await atDesk(t);
    writeFileSync(join(dir, 'given.yaml'), 'username: app\nstorageSize: "50"\n');
    const flags = [
      '-p',
      'enableEncryption=false',
      '-p',
      'tags=[team=shop]',
      '-p',
      'storageSize=30',
      '--yes',
      '-o',
      '-',
    ];
    const { code, stdout, stderr } = await run(['order', 'postgresql', '-f', 'given.yaml', ...flags]);
    t.same({ code, stderr }, { code: 0, stderr: '' });
    t.match(parse(stdout), {
      spec: {
        masterUsername: 'app',
        allocatedStorage: 30,
        storageEncrypted: false,
        tags: [{ key: 'team', value: 'shop' }],
      },
    });
    const fromInput = await run(['order', 'postgresql', '-f', '-', '--json', '-o', '-'], '{"username": "app"}');
    t.match(JSON.parse(fromInput.stdout), {
      template: 'postgresql',
      parameters: { username: 'app', storageSize: '20' },
      digest: /^sha256:[0-9a-f]{64}$/,
      claim: /kind: DBInstance/,
      file: null,
    });
  });

  test(`${kind}: a claim is saved under its template's and its resource's name, whose path is printed`, async (t) => {
    const { run } = await atDesk(t);
    const name = `saved-${kind}-${process.pid}`;
    const file = `/tmp/volumeclaim-${name}.yaml`;
    t.teardown(() => rmSync(file, { force: true }));
    const order = ['order', 'volumeclaim', '-p', `templateName=${name}`];
    t.match(await run(order), { code: 0, stdout: `${file}\n`, stderr: '' });
    t.match(parse(readFileSync(file, 'utf8')), { kind: 'PersistentVolumeClaim', metadata: { name } });
    t.equal(statSync(file).mode & 0o777, 0o600);
    t.match(await run(order), { code: 1, stdout: '', stderr: /is there already\n.*--force/ });
    t.match(await run([...order, '--force', '--json']), { code: 0, stdout: new RegExp(`"file":"${file}"`) });
  });

  test(`${kind}: everything that is wrong with parameters is told at once, and ends with 3`, async (t) => {
    const { run } = await atDesk(t);
    const refused = await run([
      'order',
      'postgresql',
      '-p',
      'colour=red',
      '-p',
      'tags=x',
      '-p',
      'enableEncryption=maybe',
    ]);
    t.match(refused, { code: 3, stdout: '', stderr: /^error: 4 checks of the parameters failed\n/ });
    for (const line of [
      /\n {2}colour: is not a parameter/,
      /\n {2}tags: must be an array/,
      /\n {2}enableEncryption: must be true or false/,
      /\n {2}username: is required/,
    ]) {
      t.match(refused.stderr, line);
    }
    t.match(await run(['order', 'postgresql', '--yes']), {
      code: 3,
      stderr: /error: parameter username is required\n/,
    });
  });

  test(`${kind}: a file of parameters that cannot be read is told, and where in it`, async (t) => {
    const { run } = await atDesk(t);
    const order = ['order', 'volumeclaim', '-f', '-'];
    const broken = await run(order, '{"a":');
    t.match(broken, {
      code: 2,
      stdout: '',
      stderr: /^error: --params-file -: .* line 1, column 6:\n\n {2}\{"a":\n {7}\^\n$/,
    });
    t.match(await run(order, '[1]'), { code: 2, stderr: /it is no object of parameters/ });
    t.match(await run(['order', 'volumeclaim', '-p', 'storage']), {
      code: 2,
      stderr: /--param storage: write name=value/,
    });
  });

  test(`${kind}: a dry run checks, saves nothing, and tells what a service would`, async (t) => {
    const { run } = await atDesk(t);
    const { code, stdout } = await run(['order', 'volumeclaim', '--dry-run', '-p', 'storage=1Gi']);
    t.equal(code, 0);
    t.match(stdout, /^Dry run of volumeclaim\nParameters validated: 4 of 4/);
    t.match(await run(['order', 'volumeclaim', '--dry-run', '-p', 'storage=lots']), {
      code: 3,
      stderr: /storage: must match/,
    });
    t.match(JSON.parse((await run(['order', 'volumeclaim', '--dry-run', '--json'])).stdout), {
      parameters: { storage: '20Gi' },
      file: null,
    });
  });

  test(`${kind}: a random option is picked by the desk`, async (t) => {
    const { run } = await atDesk(t);
    const { stdout } = await run(['order', 'volumeclaim', '-p', 'storageClassName=🎲 Random', '-o', '-']);
    t.match(stdout, /storageClassName: (standard|fast|slow)\n/);
  });

  test(`${kind}: a template that is not there ends with 1`, async (t) => {
    const { run } = await atDesk(t);
    for (const args of [
      ['template', 'nosuch'],
      ['order', 'nosuch'],
    ]) {
      t.match(await run(args), { code: 1, stdout: '', stderr: 'error: template not found\n  template: nosuch\n' });
    }
  });
}
