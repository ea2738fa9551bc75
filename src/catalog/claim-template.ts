import { type Static, Type } from '@sinclair/typebox';
import { StringEnum } from '../string-enum.ts';
import { claimTemplateResource } from './claim-template-resource.ts';

/** The canonical API version; a file of any other `<group>/v1alpha1` is accepted from a folder. */
export const apiVersion = `${claimTemplateResource.group}/${claimTemplateResource.version}` as const;

/** What a parameter's value is. `number` and `object` go beyond the four types of the specification. */
export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type ParameterType = (typeof parameterTypes)[number];

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
    type: StringEnum(parameterTypes, { description: 'Type of the value.' }),
    items: Type.Optional(
      Type.Object(
        { type: StringEnum(parameterTypes, { description: 'Type of each element.' }) },
        { description: 'For an array: what its elements are. Left out, they may be anything.' },
      ),
    ),
    default: Type.Optional(Type.Unknown({ description: 'Taken when no value is given; must be valid itself.' })),
    required: Type.Optional(
      Type.Boolean({ description: 'Whether a value or a default must be there. Default false.' }),
    ),
    enum: Type.Optional(
      Type.Array(Type.String({ maxLength: 1024 }), { minItems: 1, maxItems: 256, description: 'The allowed strings.' }),
    ),
    pattern: Type.Optional(
      Type.String({ maxLength: 1024, description: 'RE2 regular expression, unanchored as in JSON Schema.' }),
    ),
    minLength: Type.Optional(Length('Fewest Unicode code points of a string.')),
    maxLength: Type.Optional(Length('Most Unicode code points of a string.')),
    hidden: Type.Optional(Type.Boolean({ description: 'Not shown in forms; the default is always used.' })),
    allowRandom: Type.Optional(
      Type.Boolean({ description: 'Offers `🎲 Random`, which picks one of the enum values.' }),
    ),
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

const Name = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
  maxLength: 63,
  description: 'Unique; lowercase, alphanumeric, hyphens.',
});
const Title = Type.String({ maxLength: 256, description: 'For people.' });
const Description = Type.String({ maxLength: 4096 });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 64 });
const Labels = Type.Record(Type.String(), Type.String({ maxLength: 256 }));

/** Most parameters of one template. */
export const MAX_PARAMETERS = 256;

const Module = {
  type: Type.String({ minLength: 1, maxLength: 256, description: 'Resource type identifier.' }),
  source: Type.String({
    pattern: '^oci://',
    maxLength: 1024,
    description: 'OCI registry path of the module: oci://<registry>/<path>.',
  }),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Version tag of the module.' })),
};
const Parameters = Type.Array(Parameter, { maxItems: MAX_PARAMETERS });

/**
 * A ClaimTemplate as people write it. Title, description and tags stand in `spec`, because Kubernetes drops unknown
 * fields of `metadata`; in a file they may stand in `metadata` as well. Fields unknown to us are let be.
 */
export const ClaimTemplateManifest = Type.Object({
  apiVersion: Type.String({ pattern: '^[^/]+/v1alpha1$', description: '<group>/v1alpha1' }),
  kind: Type.Literal('ClaimTemplate'),
  metadata: Type.Object({
    name: Name,
    title: Type.Optional(Title),
    description: Type.Optional(Description),
    tags: Type.Optional(Tags),
    labels: Type.Optional(Labels),
  }),
  spec: Type.Object({
    ...Module,
    title: Type.Optional(Title),
    description: Type.Optional(Description),
    tags: Type.Optional(Tags),
    parameters: Type.Optional(Parameters),
  }),
});
export type ClaimTemplateManifest = Static<typeof ClaimTemplateManifest>;

const Metadata = Type.Object({
  name: Name,
  title: Type.Optional(Title),
  description: Type.Optional(Description),
  tags: Type.Optional(Tags),
  labels: Type.Optional(Labels),
});

/** A ClaimTemplate as the API serves it; specification "ClaimTemplate". */
export const ClaimTemplate = Type.Object({
  apiVersion: Type.Literal(apiVersion),
  kind: Type.Literal('ClaimTemplate'),
  metadata: Metadata,
  spec: Type.Object({ ...Module, parameters: Parameters }),
});
export type ClaimTemplate = Static<typeof ClaimTemplate>;

/** Specification "ClaimTemplateList"; the entries' spec comes without parameters. */
export const ClaimTemplateList = Type.Object({
  apiVersion: Type.Literal(apiVersion),
  kind: Type.Literal('ClaimTemplateList'),
  items: Type.Array(Type.Object({ ...ClaimTemplate.properties, spec: Type.Object(Module) })),
});
