// The floor below every service on Fastify: one route, which has its body parsed and answers.
import Fastify from 'fastify';
import { readAnswer } from './answer.ts';

const { bytes, json } = readAnswer(process.env);
const app = Fastify({ bodyLimit: 2 ** 20 });

app.all('/*', (_request, reply) => {
  if (json === undefined) reply.type('application/json; charset=utf-8').send(bytes);
  else reply.send(json);
});
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? '127.0.0.1' });
