import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'tap';
import { formatEntryId } from '../../src/messages/entry-id.ts';
import { authorized } from '../app.ts';
import { runMain } from '../process.ts';

const rounds = 5;
const clients = 16;
const acknowledgedPerRound = 300;

test('killed with SIGKILL in mid-load, time and again, it has every acknowledged message once, and counts them right', async (t) => {
  const dataDir = t.testdir();
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const { child, url, exited } = await runMain(t, { DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    const enough = acknowledged.size + acknowledgedPerRound;
    let alive = true;
    const load = Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; alive; i++) {
        const name = `${round}-${client}-${i}`;
        const answer = await pitch(url, name);
        if (answer === undefined) return;
        acknowledged.set(name, answer);
        if (acknowledged.size >= enough && alive) {
          alive = false;
          child.kill('SIGKILL');
        }
      }
    });
    await Promise.all(load);
    t.equal(await exited, 'SIGKILL');
  }

  const db = new DatabaseSync(join(dataDir, 'messages.db'), { readOnly: true });
  const stored = db.prepare('SELECT id, name FROM frontdesk_messages').all();
  const idsByName = Map.groupBy(stored, ({ name }) => String(name));
  db.close();
  t.ok(acknowledged.size >= rounds * acknowledgedPerRound);
  const lost = [...acknowledged].filter(([name, id]) => {
    const entries = idsByName.get(name) ?? [];
    return entries.length !== 1 || formatEntryId(Number(entries[0]?.id)) !== id;
  });
  t.same(lost, []);

  const { url } = await runMain(t, { DATA_DIR: dataDir });
  const summary = await (await fetch(`${url}/analytics/summary?window=all`, { headers: authorized })).json();
  t.match(summary, { totalMessages: stored.length });
});

/** @returns the entry id, or undefined if there was no answer. */
async function pitch(url: string, name: string): Promise<string | undefined> {
  try {
    const body = JSON.stringify({ name, payload: {} });
    const response = await fetch(`${url}/pitch`, { method: 'POST', headers: authorized, body });
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null && 'objectID' in answer ? String(answer.objectID) : undefined;
  } catch {
    return undefined;
  }
}
