import type { DatabaseSync } from 'node:sqlite';

const columns = ['title', 'message', 'severity', 'system', 'url', 'tags', 'repository'];
const list = columns.join(', ');
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Keeps a full-text index named `index` of all messages in step with the stream, by triggers: a message enters and
 * leaves it in the transaction in which it enters and leaves the stream. An index that is new, or was detached, is
 * filled from the stream; those of other names are dropped. `undefined` keeps none.
 * https://sqlite.org/fts5.html#external_content_tables
 */
export function attachSearch(db: DatabaseSync, index: string | undefined): void {
  if (index !== undefined && isAttached(db, index)) return;
  detachSearch(db);
  const indexes = db
    .prepare(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'`)
    .all();
  for (const { name } of indexes) db.exec(`DROP TABLE ${quote(String(name))}`);
  if (index !== undefined) createIndex(db, quote(index));
}

/** Takes the index out of the way of writes; the next `attachSearch` makes it anew. */
export function detachSearch(db: DatabaseSync): void {
  db.exec('DROP TRIGGER IF EXISTS frontdesk_search_insert; DROP TRIGGER IF EXISTS frontdesk_search_delete;');
}

function isAttached(db: DatabaseSync, index: string): boolean {
  const parts = db.prepare(
    `SELECT count(*) AS parts FROM sqlite_schema
     WHERE (type = 'table' AND name = ?) OR (type = 'trigger' AND name LIKE 'frontdesk_search_%' AND instr(sql, ?) > 0)`,
  );
  return parts.get(index, `INTO ${quote(index)}(`)?.parts === 3;
}

function createIndex(db: DatabaseSync, table: string): void {
  const values = (row: string) => columns.map((name) => `${row}.${name}`).join(', ');
  db.exec(`
    BEGIN IMMEDIATE;
    CREATE VIRTUAL TABLE ${table} USING fts5(${list}, content = 'frontdesk_messages', content_rowid = 'id');
    INSERT INTO ${table}(${table}) VALUES ('rebuild');
    CREATE TRIGGER frontdesk_search_insert AFTER INSERT ON frontdesk_messages BEGIN
      INSERT INTO ${table}(rowid, ${list}) VALUES (new.id, ${values('new')});
    END;
    CREATE TRIGGER frontdesk_search_delete AFTER DELETE ON frontdesk_messages BEGIN
      INSERT INTO ${table}(${table}, rowid, ${list}) VALUES ('delete', old.id, ${values('old')});
    END;
    COMMIT;
  `);
}
