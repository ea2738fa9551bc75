import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namespace, root } from '../../hack/kind/settings.mjs';
import { reasonOf } from '../../src/reason-of.ts';
import { run } from './run.ts';

const LIMIT_MS = 30_000;

const of = ['--namespace', namespace];
const server = [
  ...of,
  'logs',
  '--selector=app.kubernetes.io/component=server',
  '--prefix',
  '--timestamps',
  '--tail=5000',
];
const questions: Record<string, string[]> = {
  'objects.txt': [...of, 'get', 'all,lease,claimtemplate,networkpolicy,pvc', '--output=wide'],
  'events.txt': [...of, 'get', 'events', '--sort-by=.metadata.creationTimestamp'],
  'pods.txt': [...of, 'describe', 'pods'],
  'templates.txt': ['describe', 'claimtemplates', '--all-namespaces'],
  'nodes.txt': ['describe', 'nodes'],
  'server.log': server,
  'server-before.log': [...server, '--previous'],
  'redis.log': [...of, 'logs', 'frontdesk-redis-0', '--timestamps', '--tail=5000'],
};

/** Keeps logs, events and descriptions of the release in a folder of its own, which is returned. */
export async function collect(name: string): Promise<string> {
  const folder = join(root, 'build', 'e2e', name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 80));
  mkdirSync(folder, { recursive: true });
  for (const [file, args] of Object.entries(questions)) {
    // What cannot be told is told as well: it may be the reason.
    const text = await run('kubectl', args, { limitMs: LIMIT_MS }).catch(reasonOf);
    writeFileSync(join(folder, file), `${text}\n`);
  }
  return folder;
}
