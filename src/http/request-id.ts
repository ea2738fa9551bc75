import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a caller's `X-Request-ID` must look like to be taken over: it is echoed in a header and stands in every log line. */
const sane = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** The caller's request id if it is sane, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
}
