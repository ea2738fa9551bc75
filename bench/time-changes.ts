import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../test/programs/until.ts';
import { type ClusterTemplates, nameOf } from './cluster-templates.ts';
import type { ServedCatalog } from './served-catalog.ts';

/** Between two looks at whether a change is served, in milliseconds. */
const LOOK_MS = 5;
/** How long a change may take to be served, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Changes `count` templates one after the other. @returns how long each took to be served once the API server had it, in milliseconds. */
export async function changeOneByOne(
  templates: ClusterTemplates,
  served: ServedCatalog,
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const title = `Single ${i}`;
    await templates.retitle(nameOf(i), title);
    const answeredAt = performance.now();
    await until(async () => (await served.titleOf(nameOf(i))) === title, PATIENCE_MS, late);
    times.push(performance.now() - answeredAt);
  }
  return times;
}

/** Changes `count` templates at once. @returns as `changeOneByOne` */
export async function changeAtOnce(
  templates: ClusterTemplates,
  served: ServedCatalog,
  count: number,
): Promise<number[]> {
  const title = 'Burst';
  const waiting = new Map<string, number>();
  const times: number[] = [];
  const made = templates.retitleFirst(count, title, (name) => waiting.set(name, performance.now()));
  const deadline = performance.now() + PATIENCE_MS;
  while (times.length < count) {
    if (performance.now() > deadline) throw late(undefined);
    // In turn, so that looking costs little; that makes the times longer, if anything.
    for (const [name, answeredAt] of waiting) {
      if ((await served.titleOf(name)) !== title) break;
      waiting.delete(name);
      times.push(performance.now() - answeredAt);
    }
    await sleep(LOOK_MS);
  }
  await made;
  return times;
}

function late(cause: unknown): Error {
  return new Error(`a change is not served after ${PATIENCE_MS} ms`, { cause });
}
