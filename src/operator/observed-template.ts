import { FormatRegistry, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ClaimTemplateStatus } from '../catalog/claim-template-status.ts';
import type { ParsedTemplate } from '../catalog/parse-template.ts';
import type { TemplateResource } from '../catalog/template-resource.ts';

/** One version of a ClaimTemplate in the cluster, and what the catalog makes of it. */
export interface ObservedTemplate {
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  parsed: ParsedTemplate;
  /** Why the template's name is not its own, if it is not. */
  conflict: string | undefined;
  /** What the object says of itself. */
  status: ClaimTemplateStatus;
}

interface Known extends ObservedTemplate {
  resource: TemplateResource;
}

// TypeBox knows no formats by itself, and refuses what has one that it does not know.
FormatRegistry.Set('date-time', (text) => !Number.isNaN(Date.parse(text)));

const Identified = Type.Object({
  metadata: Type.Object({
    namespace: Type.String(),
    name: Type.String(),
    uid: Type.String(),
    resourceVersion: Type.String(),
    generation: Type.Integer(),
  }),
});
const WithStatus = Type.Object({ status: ClaimTemplateStatus });

/** Gives the same for the same: an observed template changes when its object or its conflict does. */
export class TemplateObserver {
  #known: ReadonlyMap<string, Known> = new Map();

  /**
   * All templates by origin; what has no identity, which no API server sends, is left out.
   * @param conflicts why the name of a template is not its own, by origin
   */
  observe(
    resources: readonly TemplateResource[],
    conflicts: ReadonlyMap<string, string>,
  ): ReadonlyMap<string, ObservedTemplate> {
    const known = new Map<string, Known>();
    for (const resource of resources) {
      const { origin } = resource;
      const conflict = 'template' in resource.parsed ? conflicts.get(origin) : undefined;
      const before = this.#known.get(origin);
      const isSame = before?.resource === resource && before.conflict === conflict;
      const observed = isSame ? before : observe(resource, conflict);
      if (observed !== undefined) known.set(origin, observed);
    }
    this.#known = known;
    return known;
  }
}

function observe(resource: TemplateResource, conflict: string | undefined): Known | undefined {
  const { object, parsed } = resource;
  if (!Value.Check(Identified, object)) return undefined;
  const { namespace, name, uid, resourceVersion, generation } = object.metadata;
  // A status that is none was not written by us, and is written anew.
  const status = Value.Check(WithStatus, object) ? object.status : {};
  return { resource, namespace, name, uid, resourceVersion, generation, parsed, conflict, status };
}
