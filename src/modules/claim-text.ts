import { type Json, ModuleError } from './module.ts';
import { yamlText } from './yaml-text.ts';

/** Largest rendered claim, in bytes. Kubernetes keeps no object beyond etcd's 1.5 MiB. */
export const MAX_RENDERED_BYTES = 1_048_576;
const SEPARATOR = '---\n';

/**
 * Writes the documents of a claim, whichever engine made them: same documents, same bytes.
 * @throws {ModuleError} `render` if the text is too large; documents after that are not asked for.
 */
export function claimText(documents: Iterable<Json>): string {
  const texts: string[] = [];
  let left = MAX_RENDERED_BYTES;
  for (const document of documents) {
    const text = documentText(document, left);
    left -= Buffer.byteLength(text) + SEPARATOR.length;
    if (left < 0) throw tooLarge();
    texts.push(text);
  }
  return texts.join(SEPARATOR);
}

function documentText(document: Json, left: number): string {
  try {
    return yamlText(document, left);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(error);
    throw error;
  }
}

function tooLarge(cause?: unknown): ModuleError {
  return new ModuleError('render', `the rendered claim has more than ${MAX_RENDERED_BYTES} bytes`, { cause });
}
