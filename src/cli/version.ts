import { readFileSync } from 'node:fs';

/** Written into the single-file build in place of package.json, which does not go with it. */
declare const FRONTDESK_VERSION: string | undefined;

/** The version of this command. It is on the way of every start, so no schema library is loaded for it. */
export function version(): string {
  if (typeof FRONTDESK_VERSION === 'string') return FRONTDESK_VERSION;
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const content: unknown = JSON.parse(file);
  const found = typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return typeof found === 'string' ? found : 'unknown';
}
