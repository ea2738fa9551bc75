import { Kind, type SchemaOptions, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';

// TypeBox has no string enum of its own; this is its documented way to add one:
// https://github.com/sinclairzx81/typebox/blob/0.34.0/examples/prototypes/union-enum.ts
TypeRegistry.Set<{ enum: readonly string[] }>('StringEnum', (schema, value) =>
  schema.enum.some((allowed) => allowed === value),
);

/** One of `values`, as `{type: "string", enum}` in JSON Schema. */
export function StringEnum<const T extends readonly string[]>(
  values: T,
  options: SchemaOptions = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ ...options, [Kind]: 'StringEnum', type: 'string', enum: values });
}
