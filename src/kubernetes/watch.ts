import { type KubeConfig, type KubernetesObject, Watch } from '@kubernetes/client-node';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** What every object tells that is served in a namespace; the rest is for others to look at. */
export const NamespacedObject = Type.Object({
  metadata: Type.Object({ name: Type.String(), namespace: Type.String(), resourceVersion: Type.String() }),
});
export type NamespacedObject = Static<typeof NamespacedObject> & KubernetesObject;

const Bookmark = Type.Object({ metadata: Type.Object({ resourceVersion: Type.String() }) });
const Refusal = Type.Object({ code: Type.Integer(), message: Type.Optional(Type.String()) });
/** How the client throws what the API server refuses. */
const Refused = Type.Object({ statusCode: Type.Integer(), message: Type.String() });

export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: NamespacedObject }
  /** Nothing changed up to this resource version. */
  | { type: 'BOOKMARK'; resourceVersion: string };

/** The API server does not know any more what happened since the resource version that was asked for. */
export class GoneError extends Error {}

export interface WatchOptions {
  config: KubeConfig;
  /** Of the list in the API. */
  path: string;
  /** Changes after this one are told. */
  resourceVersion: string;
  /** After this time the API server ends the watch in good order, with a bookmark two seconds before. */
  seconds: number;
  /** When nothing is heard for this time, there is no API server at the other end any more. */
  silenceMs: number;
  signal: AbortSignal;
  onOpen: () => void;
  onEvent: (event: WatchEvent) => void;
}

/**
 * One watch of the objects of a list. Resolves when the API server ends it in good order, or `signal` is aborted.
 * @throws {GoneError}; what `onEvent` throws; any other error for a watch that is refused, breaks off, or falls silent.
 */
export async function watch(options: WatchOptions): Promise<void> {
  const { config, path, resourceVersion, seconds, silenceMs, signal, onOpen, onEvent } = options;
  if (signal.aborted) return;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let isOver = false;
  const over = (error: unknown) => {
    isOver = true;
    if (error) reject(refusalIn(error));
    else resolve();
  };
  const silence = setTimeout(() => over(new Error(`the API server said nothing for ${silenceMs / 1000} s`)), silenceMs);
  const heard = (type: string, object: unknown) => {
    if (isOver) return;
    silence.refresh();
    try {
      onEvent(eventOf(type, object));
    } catch (error) {
      // The client would keep it to itself.
      over(error);
    }
  };
  const closed = () => over(undefined);
  signal.addEventListener('abort', closed);
  const query = { resourceVersion, timeoutSeconds: seconds, allowWatchBookmarks: true };
  const connecting = new Watch(config).watch(path, query, heard, over);
  connecting.then(() => {
    if (!isOver) onOpen();
  }, over);
  try {
    await ended;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', closed);
    // One that is not there yet ends when it is; why there is none was told already.
    connecting.then(
      (connection) => connection.abort(),
      () => undefined,
    );
  }
}

/** @throws {GoneError}; any other error where it is none that tells of a change. */
function eventOf(type: string, object: unknown): WatchEvent {
  if (type === 'BOOKMARK' && Value.Check(Bookmark, object)) {
    return { type, resourceVersion: object.metadata.resourceVersion };
  }
  if ((type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && Value.Check(NamespacedObject, object)) {
    return { type, object };
  }
  if (type === 'ERROR' && Value.Check(Refusal, object)) throw refusal(object.code, object.message);
  throw new Error(`the API server sent an event that is none, of type ${type.slice(0, 64)}`);
}

/** A refusal as such; any other error as it is. */
function refusalIn(error: unknown): unknown {
  return Value.Check(Refused, error) ? refusal(error.statusCode, error.message) : error;
}

function refusal(code: number, message = 'from the API server'): Error {
  return code === 410 ? new GoneError(message) : new Error(`${code} ${message}`);
}
