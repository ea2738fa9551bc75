import { Type } from '@sinclair/typebox';
import { ClaimTemplate, ClaimTemplateList } from '../../catalog/claim-template.ts';
import { OrderResponse } from '../../orders/order-documents.ts';
import type { ApiClient } from '../api/api-client.ts';
import { Failure } from '../failure.ts';
import type { ClaimDesk } from './claim-desk.ts';

/** The group of a service's API versions differs; specification "Versioning". */
const apiVersion = Type.String({ pattern: '^[^/]+/v1alpha1$' });

const { spec } = ClaimTemplate.properties;
/** A template without parameters may leave them out; specification "ClaimTemplate". */
const Template = Type.Object({
  ...ClaimTemplate.properties,
  apiVersion,
  spec: Type.Object({ ...spec.properties, parameters: Type.Optional(spec.properties.parameters) }),
});
const TemplateList = Type.Object({
  ...ClaimTemplateList.properties,
  apiVersion,
  items: Type.Array(Type.Object({ ...ClaimTemplate.properties, apiVersion, spec: Type.Partial(spec) })),
});
/** A service answers in one of two shapes, ours in both; specification "Order response". */
const Order = Type.Partial(
  Type.Object({
    parameters: OrderResponse.properties.parameters,
    rendered: Type.String(),
    output: Type.String(),
    metadata: Type.Partial(Type.Object({ digest: Type.String() })),
  }),
);

const path = 'api/v1/claim-templates';

/** The desk of a service. */
export function apiDesk(call: ApiClient): ClaimDesk {
  return {
    async list({ tags, search }) {
      const query = new URLSearchParams();
      for (const tag of tags) query.append('tag', tag);
      if (search !== '') query.set('search', search);
      return (await call({ method: 'GET', path, query, answer: TemplateList })).items;
    },
    async template(name) {
      const answer = await call({ method: 'GET', path: `${path}/${encodeURIComponent(name)}`, answer: Template });
      const { parameters = [], ...module } = answer.spec;
      return { ...answer, apiVersion: ClaimTemplate.properties.apiVersion.const, spec: { ...module, parameters } };
    },
    async order(name, { parameters, dryRun }) {
      const body = { parameters, dryRun };
      const answer = await call({
        method: 'POST',
        path: `${path}/${encodeURIComponent(name)}/order`,
        body,
        answer: Order,
      });
      const text = answer.rendered ?? answer.output;
      if (text === undefined) throw new Failure('failure', 'the service answers without a claim');
      return { parameters: answer.parameters ?? parameters, text, digest: answer.metadata?.digest };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
