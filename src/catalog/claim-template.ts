import { type Static, Type } from '@sinclair/typebox';

/** The canonical API version; a file of any other `<group>/v1alpha1` is accepted from a folder. */
export const apiVersion = 'frontdesk.dev/v1alpha1';

/** What a parameter's value is. `number` and `object` go beyond the four types of the specification. */
export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type ParameterType = (typeof parameterTypes)[number];

const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, description });

const Length = (description: string) => Type.Integer({ minimum: 0, maximum: 1_048_576, description });

export const Parameter = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      maxLength: 64,
      description: 'Used in API calls and rendering; camelCase or snake_case.',
    }),
    title: Type.Optional(Type.String({ maxLength: 256, description: 'Display label.' })),
    description: Type.Optional(Type.String({ maxLength: 4096 })),
    type: oneOf(parameterTypes, 'Type of the value.'),
    items: Type.Optional(
      Type.Object(
        { type: oneOf(parameterTypes, 'Type of each element.') },
        { description: 'For an array: what its elements are. Left out, they may be anything.' },
      ),
    ),
    default: Type.Optional(Type.Unknown({ description: 'Taken when no value is given; must be valid itself.' })),
    required: Type.Optional(Type.Boolean({ description: 'Whether a value or a default must be there. Default false.' })),
    enum: Type.Optional(
      Type.Array(Type.String({ maxLength: 1024 }), { minItems: 1, maxItems: 256, description: 'The allowed strings.' }),
    ),
    pattern: Type.Optional(
      Type.String({ maxLength: 1024, description: 'RE2 regular expression, unanchored as in JSON Schema.' }),
    ),
    minLength: Type.Optional(Length('Fewest Unicode code points of a string.')),
    maxLength: Type.Optional(Length('Most Unicode code points of a string.')),
    hidden: Type.Optional(Type.Boolean({ description: 'Not shown in forms; the default is always used.' })),
    allowRandom: Type.Optional(Type.Boolean({ description: 'Offers `🎲 Random`, which picks one of the enum values.' })),
    'ui:options': Type.Optional(
      Type.Object(
        {
          widget: Type.Optional(Type.String({ maxLength: 64 })),
          placeholder: Type.Optional(Type.String({ maxLength: 1024 })),
        },
        { description: 'Hints for forms.' },
      ),
    ),
  },
  { $id: 'Parameter', additionalProperties: true },
);
export type Parameter = Static<typeof Parameter>;
