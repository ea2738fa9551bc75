import { Cluster } from 'ioredis';
import type { AppendResult, NewMessage } from '../message-store.ts';
import { type Acknowledgement, atOnce } from './acknowledgement.ts';
import { type AppendSettings, appendMessage } from './append-message.ts';
import { failed, stored } from './append-result.ts';
import type { RedisClient } from './connect-redis.ts';

/** Takes the result of the message of an index. */
export type Tell = (index: number, result: AppendResult) => void;

/** What is to be appended, by what, and who is told. */
export interface Batch {
  client: RedisClient;
  messages: readonly NewMessage[];
  settings: AppendSettings;
  tell: Tell;
}

/**
 * Appends messages in one pipeline, in order, and tells each result as soon as it is known; resolves after the last.
 * Never rejects: where the connection is lost under way, the outcome of what was sent is unknown.
 */
export function append(batch: Batch, acknowledgement: Acknowledgement): Promise<void> {
  return acknowledgement === atOnce ? appendEach(batch) : appendTogether(batch, acknowledgement);
}

/**
 * Each message has its answer when the server has given it, while it works on the next ones. A server that syncs its
 * append-only file before it answers, and that once for each 16 KB that it reads, is kept busy thereby, and so are we.
 */
function appendEach({ client, messages, settings, tell }: Batch): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = messages.length;
  const uncork = cork(client);
  messages.forEach((message, i) => {
    const told = (result: AppendResult) => {
      tell(i, result);
      missing -= 1;
      if (missing === 0) resolve();
    };
    appendMessage<{ type: 'default' }>(client, message, settings).then(
      (answer) => told(stored(answer)),
      (error) => told(failed(error)),
    );
  });
  uncork();
  if (missing === 0) resolve();
  return promise;
}

/** One answer for all: that to the command which waits for disks or replicas. */
async function appendTogether(
  { client, messages, settings, tell }: Batch,
  acknowledgement: Acknowledgement,
): Promise<void> {
  const pipeline = client.pipeline();
  for (const message of messages) appendMessage(pipeline, message, settings);
  acknowledgement.await(pipeline);
  const answers = (await pipeline.exec()) ?? [];
  followMove(client, answers);
  const shortfall = shortfallOf(acknowledgement, answers[messages.length]);
  for (const i of messages.keys()) {
    const [error, value] = answers[i] ?? [new Error('no answer')];
    if (error) tell(i, failed(error));
    else tell(i, shortfall === undefined ? stored(value) : { ok: false, reason: `${shortfall}, outcome unknown` });
  }
}

/** Has what is written to the connections of `client` sent at once, when the function that this returns is called. */
function cork(client: RedisClient): () => void {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client];
  const streams = nodes.map(({ stream }) => stream);
  for (const stream of streams) stream?.cork();
  return () => {
    for (const stream of streams) stream?.uncork();
  };
}

type Answer = [error: Error | null, value?: unknown];

function shortfallOf(acknowledgement: Acknowledgement, answer: Answer | undefined): string | undefined {
  const [error, value] = answer ?? [null, undefined];
  return error ? error.message : acknowledgement.shortfall(value);
}

/** ioredis looks where a stream has moved to only if every answer says that it has; the one to WAIT never does. */
export function followMove(client: RedisClient, answers: readonly Answer[]): void {
  if (!(client instanceof Cluster)) return;
  if (answers.some(([error]) => error?.message.startsWith('MOVED '))) client.refreshSlotsCache();
}
