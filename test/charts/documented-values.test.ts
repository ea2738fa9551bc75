import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { parse } from 'yaml';
import { render, skipWithoutHelm } from './rendered.ts';

const page = readFileSync('docs/install.md', 'utf8');
const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

test('values of the documentation are taken', { skip: skipWithoutHelm }, async (t) => {
  t.ok(examples.length >= 2);
  for (const example of examples) t.ok((await render(parse(example))).get('Deployment'));
});

test('objects that the documentation names are there', { skip: skipWithoutHelm }, async (t) => {
  const { names } = await render();
  const [, pod = '', volume = ''] = /pvc ((\w+)-frontdesk-redis-0)/.exec(page) ?? [];
  t.equal(pod, 'data-frontdesk-redis-0');
  t.equal((await render()).at('StatefulSet', 'spec.volumeClaimTemplates.0.metadata.name'), volume);
  for (const name of ['Service frontdesk', 'Secret frontdesk', 'StatefulSet frontdesk-redis'])
    t.ok(names.includes(name));
});
