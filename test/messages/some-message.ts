import type { NewMessage } from '../../src/messages/message-store.ts';

/** A message with everything filled in, for tests that care for some fields only. */
export function someMessage(fields: Partial<NewMessage> = {}): NewMessage {
  return {
    title: 'Disk almost full',
    message: 'node-3 has 4 % left',
    severity: 'warning',
    timestamp: '2026-11-21T10:00:00.000Z',
    system: 'node-3',
    url: 'https://example.org/d/1',
    tags: 'disk,node',
    source: 'pitch',
    name: 'disk',
    repository: 'infra',
    payload: '{"free":4}',
    ...fields,
  };
}
