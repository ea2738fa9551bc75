import type { KubernetesObject } from '@kubernetes/client-node';
import type { NamespacedObject } from '../kubernetes/watch.ts';
import { type ParsedTemplate, parseTemplate } from './parse-template.ts';

/** A ClaimTemplate as it is in the cluster, and what was made of it. */
export interface TemplateResource {
  object: KubernetesObject;
  parsed: ParsedTemplate;
  /** Where it is, for people: its namespace and name. */
  origin: string;
}

interface Known extends TemplateResource {
  content: string;
  /** In milliseconds since the epoch. */
  created: number;
}

/** What was made of the ClaimTemplates of a cluster; of one that did not change it is the same as before. */
export class TemplateResources {
  #known: ReadonlyMap<string, Known> = new Map();

  /** All there are, the oldest first: where a name is taken twice it wins. */
  read(namespaces: readonly Iterable<NamespacedObject>[]): readonly TemplateResource[] {
    const known = new Map<string, Known>();
    for (const objects of namespaces) {
      for (const object of objects) {
        const origin = originOf(object);
        const before = this.#known.get(origin);
        known.set(origin, before?.object === object ? before : read(object, origin, before));
      }
    }
    this.#known = known;
    return [...known.values()].sort((a, b) => a.created - b.created || (a.origin < b.origin ? -1 : 1));
  }
}

/** A template stays the same object for as long as its content does, whatever becomes of its status. */
function read(object: NamespacedObject, origin: string, before: Known | undefined): Known {
  const content = contentOf(object);
  const parsed = before?.content === content ? before.parsed : parseTemplate(object);
  return { object, parsed, origin, content, created: createdAt(object) };
}

function createdAt({ metadata }: NamespacedObject): number {
  // What comes from the API server has times as text, whatever the types of the client say.
  return Date.parse(String(metadata.creationTimestamp));
}

function originOf({ metadata }: NamespacedObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Names all that a template is made of: the API server counts a generation with each change of the spec. */
function contentOf({ metadata }: NamespacedObject): string {
  const { uid, generation, labels = {} } = metadata;
  return `${uid} ${generation} ${JSON.stringify(labels)}`;
}
