import { table } from '../output/table.ts';
import { type DeskFlags, openDesk } from './open-desk.ts';

export interface TemplatesOptions extends DeskFlags {
  tag: readonly string[];
  search: string;
  json: boolean;
}

/** `frontdesk templates`: lists what can be ordered. */
export async function listTemplates({ tag, search, json, ...flags }: TemplatesOptions): Promise<void> {
  await using desk = await openDesk(flags);
  const templates = await desk.list({ tags: tag, search });
  if (json) {
    console.log(JSON.stringify(templates));
    return;
  }
  const rows = templates.map(({ metadata }) => [
    metadata.name,
    metadata.title ?? '',
    (metadata.tags ?? []).join(', '),
    metadata.description ?? '',
  ]);
  if (rows.length === 0) console.error('no template matches');
  else process.stdout.write(table([['NAME', 'TITLE', 'TAGS', 'DESCRIPTION'], ...rows]));
}
