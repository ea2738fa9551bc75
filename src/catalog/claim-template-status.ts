import { type Static, Type } from '@sinclair/typebox';
import { StringEnum } from '../string-enum.ts';

/** What is told of a template; https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/1623-standardize-conditions */
export const conditionTypes = ['Accepted', 'ModuleResolved', 'Ready'] as const;

const Condition = Type.Object({
  type: Type.String({ maxLength: 316, description: 'Accepted, ModuleResolved or Ready.' }),
  status: StringEnum(['True', 'False', 'Unknown']),
  observedGeneration: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The generation of the template that this was found out about.' }),
  ),
  lastTransitionTime: Type.String({ format: 'date-time', description: 'When status changed last.' }),
  reason: Type.String({ minLength: 1, maxLength: 1024, description: 'Why, in one word.' }),
  message: Type.String({ maxLength: 32_768, description: 'Why, for people.' }),
});

/** Status of a ClaimTemplate in Kubernetes. */
export const ClaimTemplateStatus = Type.Object({
  observedGeneration: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The generation of the template that this status is about.' }),
  ),
  conditions: Type.Optional(Type.Array(Condition, { maxItems: 16 })),
  module: Type.Optional(
    Type.Object({
      digest: Type.Optional(Type.String({ maxLength: 128, description: 'What source and tag stand for now.' })),
    }),
  ),
  parameters: Type.Optional(Type.Integer({ minimum: 0, description: 'How many parameters the template has.' })),
});
export type ClaimTemplateStatus = Static<typeof ClaimTemplateStatus>;
