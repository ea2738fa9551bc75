import { randomUUID } from 'node:crypto';
import { Enqueued } from '../../intake/answers.ts';
import type { Pitch } from '../../intake/pitch-message.ts';
import { apiClient } from '../api/api-client.ts';
import type { ApiFlags } from '../api/api-flags.ts';
import { apiSettings } from '../api/api-settings.ts';
import { Failure } from '../failure.ts';
import { readInput } from '../read-input.ts';
import { readYaml } from '../read-yaml.ts';

export interface PitchOptions extends ApiFlags {
  name?: string;
  repository?: string;
  title?: string;
  message?: string;
  severity?: string;
  system?: string;
  url?: string;
  tag: readonly string[];
  payloadFile?: string;
  idempotencyKey?: string;
  json: boolean;
}

/** `frontdesk pitch`: sends a message, once however often it has to be tried. */
export async function pitchMessage(options: PitchOptions): Promise<void> {
  const settings = await apiSettings(options, process.env);
  const body = await pitchOf(options);
  const key = options.idempotencyKey ?? randomUUID();
  const answer = await apiClient(
    settings,
    process.env,
  )({ method: 'POST', path: 'pitch', headers: { 'idempotency-key': key }, body, answer: Enqueued });
  console.log(options.json ? JSON.stringify(answer) : `enqueued as ${answer.objectID}`);
}

/**
 * The message that options stand for; the service says what is wrong with it.
 * @throws {Failure} naming the option that is missing, or cannot be read.
 */
async function pitchOf(options: PitchOptions): Promise<Pitch> {
  const { title, repository, severity, system, url, tag, payloadFile } = options;
  if (options.message === '-' && payloadFile === '-') {
    throw new Failure('usage', '--message - and --payload-file - exclude each other: there is one standard input');
  }
  const name = options.name ?? title;
  if (name === undefined) throw new Failure('usage', 'a message needs a --name, or a --title that stands for it');
  const message = options.message === '-' ? await readInput('-', '--message') : options.message;
  const payload = payloadFile === undefined ? {} : await readPayload(payloadFile);
  const given = { title, message, severity, system, url, ...(tag.length > 0 && { tags: tag }) };
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    name,
    ...(repository !== undefined && { repository }),
    payload: { ...payload, ...Object.fromEntries(fields) },
  };
}

async function readPayload(file: string): Promise<object> {
  const payload = await readYaml(file, '--payload-file');
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  throw new Failure('usage', `--payload-file ${file}: it is no object`);
}
