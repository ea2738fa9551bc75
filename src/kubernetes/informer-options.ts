import type { KubeConfig } from '@kubernetes/client-node';
import type { NamespacedObject } from './watch.ts';

/** Some of all objects there are, and what a watch of them goes on from. */
export interface ObjectPage {
  objects: readonly NamespacedObject[];
  resourceVersion: string;
}

export interface InformerOptions<T> {
  config: KubeConfig;
  /** Of the list in the API, such as `/apis/apps/v1/namespaces/default/deployments`. */
  path: string;
  /** Tells all that is there now, some at a time; throws a `TooManyError` if that is more than `maxObjects`. */
  list: (signal: AbortSignal) => AsyncIterable<ObjectPage>;
  /** Makes of an object what is kept of it; `before` is what was kept of the object of that name. */
  read: (object: NamespacedObject, before: T | undefined) => T;
  /** Most objects that are kept. Beyond, none are taken over, until there are fewer. */
  maxObjects: number;
  /** Called after each change of what is known, and when all was listed. */
  onChange: () => void;
  /** Called when there is no connection any more or yet, for each new reason, and with undefined when there is one. */
  onConnection: (reason: string | undefined) => void;
  clock: () => number;
  /** From 0 up to, without, 1. */
  random: () => number;
  /** Times that differ from the defaults. */
  times?: { watchSeconds: number; silenceMs: number } | undefined;
}

/** There are more objects than are taken. */
export class TooManyError extends Error {
  constructor(max: number, plural: string) {
    super(`there are more than ${max} ${plural}, the most that are taken`);
  }
}
