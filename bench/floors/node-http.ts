// The floor below every server on Node: node:http, which reads and parses the body and answers.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { readAnswer } from './answer.ts';

const { bytes, json } = readAnswer(process.env);

createServer(async (request, response) => {
  if (request.method === 'POST') JSON.parse(await text(request));
  const body = json === undefined ? bytes : Buffer.from(JSON.stringify(json));
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
}).listen(Number(process.env.PORT), process.env.HOST);
