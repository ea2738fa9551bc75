import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const page = readFileSync(fileURLToPath(new URL('../../docs/templates.md', import.meta.url)), 'utf8');

/** The template with which docs/templates.md begins. */
export const documentedTemplate: object = parse(/```yaml\n(apiVersion: [\s\S]*?)```/.exec(page)?.[1] ?? '');

/** The parameters that docs/templates.md shows, with JSON values, and what it says of them. */
export const documentedParameters = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n', 1)[0] ?? '',
    parameter: parse(/```yaml\n([\s\S]*?)```/.exec(section)?.[1] ?? ''),
    values: [...section.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(([, json = '', says = '']) => ({ json, says })),
  }));
