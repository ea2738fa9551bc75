// The floor below every intake on Fastify and Redis: one route, which has its body parsed, appends the same entry as the
// service does with one XADD, and answers.
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { pitchMessage } from '../../src/intake/pitch-message.ts';
import { messageFields } from '../../src/messages/message.ts';
import { pitchBody } from '../payloads.ts';

const message = pitchMessage(JSON.parse(pitchBody()), Date.now());
const entry = messageFields.flatMap((field) => [field, message[field]]);
const redis = new Redis({ port: Number(process.env.REDIS_PORT), host: '127.0.0.1' });
const app = Fastify({ bodyLimit: 2 ** 20 });

app.get('/health', (_request, reply) => {
  reply.send({ status: 'ok' });
});
app.post('/*', async () => {
  const objectID = await redis.xadd('floor', '*', ...entry);
  return { status: 'success', message: 'Message enqueued', objectID };
});
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? '127.0.0.1' });
