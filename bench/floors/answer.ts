import { readFileSync } from 'node:fs';

/** What a floor answers with: the very answer of the service, as ready bytes or as an object to be written each time. */
export interface Answer {
  bytes: Buffer;
  /** Undefined where the service has its bytes ready too. */
  json: unknown;
}

/** Reads what `startFloor` left for this process. */
export function readAnswer(env: NodeJS.ProcessEnv): Answer {
  const bytes = readFileSync(env.ANSWER ?? '');
  return { bytes, json: env.ANSWER_AS === 'object' ? JSON.parse(bytes.toString()) : undefined };
}
