/** A structural schema, of which only what is changed here has a type. */
export interface StructuralSchema {
  [keyword: string]: unknown;
  properties?: Record<string, StructuralSchema>;
  items?: StructuralSchema;
  additionalProperties?: StructuralSchema;
}

/** Keywords that mean the same in JSON Schema. */
const shared = ['type', 'description', 'format', 'pattern', 'required', 'enum'];
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

export const keepUnknown = { 'x-kubernetes-preserve-unknown-fields': true } as const;

/**
 * A JSON Schema as the API server takes it.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function structuralSchema(schema: object): StructuralSchema {
  const from = new Map<string, unknown>(Object.entries(schema));
  const to: StructuralSchema = {};
  for (const keyword of [...shared, ...bounds]) if (from.has(keyword)) to[keyword] = from.get(keyword);
  if (from.has('const')) to.enum = [from.get('const')];
  if (from.has('properties')) {
    const properties = Object.entries(object(from.get('properties')));
    to.properties = Object.fromEntries(properties.map(([name, field]) => [name, structuralSchema(object(field))]));
  }
  if (from.has('items')) to.items = structuralSchema(object(from.get('items')));
  const [values] = Object.values(object(from.get('patternProperties') ?? {}));
  if (values !== undefined) to.additionalProperties = structuralSchema(object(values));
  return from.has('type') && from.get('additionalProperties') !== true ? to : { ...to, ...keepUnknown };
}

/** The fields of an object's schema. */
export function fieldsOf(schema: StructuralSchema): Record<string, StructuralSchema> {
  if (schema.properties === undefined) throw new Error('not the schema of an object');
  return schema.properties;
}

function object(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new Error(`not a schema: ${value}`);
  return value;
}
