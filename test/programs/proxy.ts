import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Test } from 'tap';
import { listenOnLoopback } from './listen-on-loopback.ts';

/** A proxy for HTTP and HTTPS; `passed` has what went through, and by whom. */
export async function startProxy(t: Pick<Test, 'teardown'>) {
  const passed: string[] = [];
  const by = ({ 'proxy-authorization': who }: { 'proxy-authorization'?: string | undefined }) => who ?? 'anybody';
  const server = createServer((incoming, response) => {
    passed.push(`${incoming.method} ${incoming.url} ${by(incoming.headers)}`);
    const { method = '', headers } = incoming;
    const outgoing = httpRequest(incoming.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.end();
  });
  server.on('connect', (incoming, socket) => {
    passed.push(`CONNECT ${incoming.url} ${by(incoming.headers)}`);
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on('error', () => upstream.destroy());
    t.teardown(() => upstream.destroy());
  });
  return { url: `http://user:secret@${await listenOnLoopback(t, server)}`, passed };
}

/** Whom it is used by: what the password of its address makes of a request. */
export const BY = `Basic ${Buffer.from('user:secret').toString('base64')}`;
