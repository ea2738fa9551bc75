import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

type Reading = { documents: unknown[] } | { error: string };

/** What each of PyYAML's loaders reads in the texts, in one process; or why there is none. */
export function readWithPyYaml(texts: string[]): { loaders: Map<string, Reading[]> } | { missing: string } {
  const { error, status, stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'read-yaml.py')], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) return { missing: error.message };
  if (status !== 0) throw new Error(stderr);
  const result = JSON.parse(stdout);
  if ('missing' in result) return { missing: result.missing };
  return { loaders: new Map(Object.entries<Reading[]>(result)) };
}
