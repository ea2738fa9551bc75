import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a caller's `X-Request-ID` must look like to be taken over: it is echoed in a header and stands in every log line. */
const sane = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Gives each request the caller's id if it is sane, else one that no other process and no earlier request has. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const process = randomUUID();
  let made = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && sane.test(given)) return given;
    made += 1;
    return `${process}-${made}`;
  };
}
