import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorHandler } from './error-handler.ts';
import { corsHeaders } from './response-headers.ts';

/** Node's error codes for requests that never become one; https://nodejs.org/api/http.html#event-clienterror */
const statusByCode: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers bytes that are no HTTP request, headers that are too large, and requests that take too long; then hangs up. */
export function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  // The other side is gone, or an answer is on its way already.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const status = statusByCode[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const body = JSON.stringify({ error: reason.toLowerCase() });
  const headers = {
    ...corsHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${body}`, () => socket.destroy());
}

/** Answers a URL that cannot be routed, before any hook runs. */
export function frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(corsHeaders).header('x-request-id', request.id);
  errorHandler('simple')(error, request, reply);
}
