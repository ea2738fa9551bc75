import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { onRequestHookHandler } from 'fastify';
import { AnyObject } from '../any-object.ts';
import type { MessageStore, NewMessage } from '../messages/message-store.ts';
import { refusals } from './answers.ts';
import { CodehostHeaders, deliveryId, eventType } from './codehost-headers.ts';
import { codehostMessage } from './codehost-message.ts';
import { enqueueOne } from './enqueue-one.ts';
import { once } from './once.ts';
import { requireSignedJson } from './signed-json.ts';

export interface CodehostOptions {
  store: MessageStore;
  clock: () => number;
  /** Guards the route where there is no secret; throws what the caller is to be told. */
  authenticate: onRequestHookHandler;
  /** Secrets of which any may sign a webhook. With none, webhooks need what `authenticate` asks for. */
  codehostSecrets: readonly string[];
  /** Takes webhooks from anyone where there is no secret; never overrides one. */
  allowUnsigned: boolean;
}

const schema = {
  summary: 'Enqueue the event of a code-host webhook',
  description: 'Signed with the secret of the webhook; where none is configured, the bearer token is needed.',
  tags: ['intake'],
  security: [{ bearer: [] }, {}],
  headers: CodehostHeaders,
  body: AnyObject('The payload, as the code host makes it.'),
  response: {
    200: Type.Object({
      objectId: Type.Optional(Type.String({ description: 'Stream entry id. A ping has none.' })),
      streamId: Type.Optional(Type.String({ description: 'Name of the stream. A ping has none.' })),
      status: Type.Literal('success'),
      message: Type.String(),
    }),
    ...refusals,
  },
};

/** `POST /pitch/codehost`: takes a code host's webhook. Specification "POST /pitch/codehost". */
export const codehost: FastifyPluginAsyncTypebox<CodehostOptions> = async (app, options) => {
  const { store, clock, authenticate, allowUnsigned } = options;
  const secrets = options.codehostSecrets.filter((secret) => secret !== '');
  if (secrets.length > 0) requireSignedJson(app, secrets);
  else if (!allowUnsigned) app.addHook('onRequest', authenticate);

  app.post('/pitch/codehost', { schema }, async (request) => {
    const type = eventType(request.headers);
    if (type === 'ping') return { status: 'success' as const, message: 'pong' };

    const { body, bodyText: payload } = request;
    const message: NewMessage = { ...codehostMessage(type, body, clock()), payload };
    const delivery = deliveryId(request.headers);
    if (delivery !== undefined) message.once = once('codehost', delivery);
    const objectId = await enqueueOne(store, message);
    return { objectId, streamId: store.stream, status: 'success' as const, message: `Event ${type} enqueued` };
  });
};
