import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A folder for the data of a service. (A test's own folder is emptied each time it is asked for.) */
export async function dataFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-data-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
