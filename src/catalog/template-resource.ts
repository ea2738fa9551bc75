import type { KubernetesObject } from '@kubernetes/client-node';
import type { NamespacedObject } from '../kubernetes/watch.ts';
import { type ParsedTemplate, parseTemplate } from './parse-template.ts';

/** A ClaimTemplate as it is in the cluster, and what was made of it. */
export interface TemplateResource {
  object: KubernetesObject;
  parsed: ParsedTemplate;
  /** Where it is, for people: its namespace and name. */
  origin: string;
  /** In milliseconds since the epoch. */
  created: number;
  /** Names all that `parsed` is made of. */
  content: string;
}

/**
 * Reads a ClaimTemplate, unless that was done: it stays the same object for as long as its content does, whatever
 * becomes of its status.
 */
export function readResource(object: NamespacedObject, before: TemplateResource | undefined): TemplateResource {
  const { namespace, name, resourceVersion, creationTimestamp } = object.metadata;
  if (before?.object.metadata?.resourceVersion === resourceVersion) return before;
  const content = contentOf(object);
  return {
    object,
    parsed: before?.content === content ? before.parsed : parseTemplate(object),
    origin: `${namespace}/${name}`,
    // What comes from the API server has times as text, whatever the types of the client say.
    created: Date.parse(String(creationTimestamp)),
    content,
  };
}

/** The oldest first: where a name is taken twice it wins. */
export function byAge(a: TemplateResource, b: TemplateResource): number {
  return a.created - b.created || (a.origin < b.origin ? -1 : 1);
}

/** The API server counts a generation with each change of the spec. */
function contentOf({ metadata }: NamespacedObject): string {
  const { uid, generation, labels = {} } = metadata;
  return `${uid} ${generation} ${JSON.stringify(labels)}`;
}
