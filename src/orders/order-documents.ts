import { Type } from '@sinclair/typebox';
import { apiVersion } from '../catalog/claim-template.ts';
import type { Json } from '../modules/module.ts';

const JsonValue = Type.Unsafe<Json>(Type.Unknown({ description: 'Any JSON value.' }));

/** Body of an order; specification "Order request". */
export const OrderRequest = Type.Object(
  {
    parameters: Type.Optional(Type.Record(Type.String(), JsonValue, { description: 'Parameter name to value.' })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Validates only. Default false.' })),
  },
  { additionalProperties: false },
);

/** Answer to an order; specification "Order response". Both its shapes at once, so that a client of either finds its fields. */
export const OrderResponse = Type.Object({
  apiVersion: Type.Literal(apiVersion),
  kind: Type.Literal('OrderResponse'),
  metadata: Type.Object({
    name: Type.String({ description: '<template>-order-<milliseconds since the epoch>' }),
    timestamp: Type.String({ description: 'ISO 8601.' }),
    orderId: Type.String({ description: 'UUID.' }),
    template: Type.String(),
    createdAt: Type.String({ description: 'ISO 8601.' }),
    digest: Type.Optional(Type.String({ description: 'Digest of the module that rendered the claim.' })),
  }),
  status: Type.Literal('success'),
  parameters: Type.Record(Type.String(), JsonValue, { description: 'The values used, defaults included.' }),
  rendered: Type.String({ description: 'The claim as YAML, or the report of a dry run.' }),
  output: Type.String({ description: 'The same text.' }),
});
