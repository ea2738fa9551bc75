import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { parse, stringify } from 'yaml';
import { namespace, root } from '../../hack/kind/settings.mjs';
import { apply, kubectl } from './run.ts';

/** The built-in template of volume claims under another name; `change` may make something else of its spec. */
export function template(name: string, change: (spec: Record<string, unknown>) => void = () => undefined): string {
  const document = parse(readFileSync(`${root}templates/volumeclaim.yaml`, 'utf8'));
  document.metadata = { name, namespace };
  change(document.spec);
  return stringify(document);
}

/** Applies a template until the test ends. Where it fails, what became of the template is part of the evidence. */
export async function applied(
  t: Pick<Test, 'teardown' | 'passing'>,
  name: string,
  manifest = template(name),
): Promise<void> {
  t.teardown(async () => {
    if (t.passing()) await kubectl('--namespace', namespace, 'delete', 'claimtemplate', name, '--ignore-not-found');
  });
  await apply(manifest);
}

/** The status of one condition of a template, as the API server has it; empty while there is none. */
export function condition(name: string, type: string): Promise<string> {
  const path = `{.status.conditions[?(@.type=="${type}")].status}`;
  return kubectl('--namespace', namespace, 'get', 'claimtemplate', name, `--output=jsonpath=${path}`);
}
