/** A JSON object from outside, of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` if it is text; a blank string says as little as none. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The value under `path`; undefined where anything on the way is missing or no object. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** The text under `path`, if there is any. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  return text(at(value, ...path));
}

/** The first line of the text under `path` that is not blank. */
export function lineAt(value: unknown, ...path: readonly string[]): string | undefined {
  return textAt(value, ...path)
    ?.trimStart()
    .split(/\r?\n/, 1)[0]
    ?.trimEnd();
}
