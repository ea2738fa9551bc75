import type { KubernetesObject } from '@kubernetes/client-node';
import { FormatRegistry, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ClaimTemplateStatus } from '../catalog/claim-template-status.ts';
import type { ParsedTemplate } from '../catalog/parse-template.ts';
import type { TemplateResource } from '../catalog/template-resources.ts';

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

/** Keeps what was made of an object for as long as neither it nor its conflict changes. */
export class TemplateObserver {
  readonly #known = new WeakMap<KubernetesObject, ObservedTemplate>();

  /** Undefined for what no API server sends: an object without identity. */
  observe({ object, parsed }: TemplateResource, conflict: string | undefined): ObservedTemplate | undefined {
    const known = this.#known.get(object);
    if (known !== undefined && known.conflict === conflict) return known;
    if (!Value.Check(Identified, object)) return undefined;
    const { namespace, name, uid, resourceVersion, generation } = object.metadata;
    // A status that is none was not written by us, and is written anew.
    const status = Value.Check(WithStatus, object) ? object.status : {};
    const observed = { namespace, name, uid, resourceVersion, generation, parsed, conflict, status };
    this.#known.set(object, observed);
    return observed;
  }
}
