import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { onRequestHookHandler } from 'fastify';
import type { MessageStore, NewMessage } from '../messages/message-store.ts';
import { Enqueued, refusals } from './answers.ts';
import { enqueueOne } from './enqueue-one.ts';
import { OnceKey, once } from './once.ts';
import { Pitch, pitchMessage } from './pitch-message.ts';

export interface PitchOptions {
  store: MessageStore;
  clock: () => number;
  /** Guards the route; throws what the caller is to be told. */
  authenticate: onRequestHookHandler;
}

const schema = {
  summary: 'Enqueue one message',
  tags: ['intake'],
  security: [{ bearer: [] }],
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      OnceKey({ description: 'The same key within 24 h returns the first answer again and enqueues nothing.' }),
    ),
  }),
  body: Pitch,
  response: {
    200: Enqueued,
    ...refusals,
  },
};

/** `POST /pitch`: takes one message. Specification "POST /pitch". */
export const pitch: FastifyPluginAsyncTypebox<PitchOptions> = async (app, { store, clock, authenticate }) => {
  app.post('/pitch', { schema, onRequest: authenticate }, async (request) => {
    const message: NewMessage = pitchMessage(request.body, clock());
    const key = request.headers['idempotency-key'];
    if (key !== undefined) message.once = once('pitch', key);
    const objectID = await enqueueOne(store, message);
    return { status: 'success' as const, message: 'Message enqueued', objectID };
  });
};
