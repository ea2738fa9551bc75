import { rm, writeFile } from 'node:fs/promises';
import { type Test, test } from 'tap';
import { startApp } from '../app.ts';
import { until } from '../programs/until.ts';
import { templateYaml } from './templates.ts';

const SEEN_MS = 20_000;
const broken = templateYaml('broken', { parameters: [{ name: 'x', type: 'strong' }] });

test('a rejected template is logged once, and again when something else is wrong with it', async (t) => {
  const { dir, size, logged } = await watching(t, { 'broken.json': broken });
  const told = () => logged().filter(({ msg }) => msg === 'template rejected');
  t.equal(told().length, 1);
  await writeFile(`${dir}/good.json`, templateYaml('good'));
  await until(async () => (await size()) === 1, SEEN_MS, never);
  t.equal(told().length, 1);
  await writeFile(`${dir}/broken.json`, '{}');
  await until(() => told().length === 2, SEEN_MS, never);
  t.match(told(), [{ origin: 'broken.json' }, { origin: 'broken.json' }]);
});

test('a folder of more files than are taken is told of in the log and in /ready, and read once there are fewer', async (t) => {
  const { dir, ready, size, logged } = await watching(t, { 'good.json': templateYaml('good') });
  const names = Array.from({ length: 10_000 }, (_, i) => `${dir}/${i}.json`);
  for (const name of names) await writeFile(name, '');
  await writeFile(`${dir}/last.json`, templateYaml('last'));
  const reason = 'more than 10000 files';
  await until(async () => (await ready()).sources.folder.reason === reason, SEEN_MS, never);
  t.match(
    logged().filter(({ level }) => level === 50),
    [{ msg: 'templates folder cannot be read', reason }],
  );
  t.equal(await size(), 1);
  for (const name of names) await rm(name);
  await until(async () => (await size()) === 2, SEEN_MS, never);
  t.equal((await ready()).sources.folder.reason, undefined);
});

async function watching(t: Test, files: Record<string, string>) {
  const dir = t.testdir(files);
  const lines: string[] = [];
  const logger = { level: 'info', stream: { write: (line: string) => lines.push(line) } };
  const env = { TEMPLATES_DIR: dir, DATA_DIR: `${dir}/.data` };
  const app = await startApp(t, env, { logger });
  const ready = async () => (await app.inject('/ready')).json().dependencies.catalog;
  const logged = () => lines.map((line) => JSON.parse(line));
  return { dir, ready, size: async () => (await ready()).templates, logged };
}

function never(cause: unknown): Error {
  return new Error('that is never seen', { cause });
}
