import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import { freePort } from '../../bench/free-port.ts';

/** Stands between a client and a server, and may keep the server's answers to itself. */
export interface Relay {
  host: string;
  port: number;
  /** From now on nothing that the server says reaches a client. */
  holdAnswers(): void;
  /** Answers pass again, those of new connections; the others are ended, and what was held is lost. */
  passAnswers(): void;
}

export async function startRelay(t: Pick<Test, 'teardown'>, to: { host: string; port: number }): Promise<Relay> {
  const sockets = new Set<Socket>();
  let holds = false;
  const server = createServer((client) => {
    const upstream = connect(to);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (answer) => {
      if (!holds) client.write(answer);
    });
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    end();
    server.close();
  });
  const [host, port] = ['127.0.0.1', await freePort()];
  server.listen(port, host);
  await once(server, 'listening');
  return {
    host,
    port,
    holdAnswers: () => {
      holds = true;
    },
    passAnswers: () => {
      holds = false;
      end();
    },
  };
}
