import type { ClaimTemplate, Parameter } from '../../src/catalog/claim-template.ts';
import { RANDOM_OPTION } from '../../src/orders/resolve-values.ts';

/**
 * OpenAPI paths for orders of `templates`, one each. The service's own document cannot say what the parameters of an
 * order are, since that is up to the template; here it is known, so a valid order must be rendered and any other refused.
 */
export function orderPaths(templates: readonly ClaimTemplate[]): Record<string, object> {
  return Object.fromEntries(
    templates.map((template) => [
      `/api/v1/claim-templates/${template.metadata.name}/order`,
      { post: orderOperation(template.spec.parameters) },
    ]),
  );
}

function orderOperation(parameters: readonly Parameter[]): object {
  // What is sent for a hidden parameter is not looked at, so there is nothing to tell right from wrong.
  const open = parameters.filter(({ hidden }) => !hidden);
  const needed = open.filter((parameter) => !isOptional(parameter)).map(({ name }) => name);
  const values = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(open.map((parameter) => [parameter.name, valueSchema(parameter)])),
    required: needed,
  };
  const body = {
    type: 'object',
    additionalProperties: false,
    properties: { parameters: values, dryRun: { type: 'boolean' } },
    required: needed.length > 0 ? ['parameters'] : [],
  };
  return {
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 200: jsonObject, '4XX': jsonObject },
  };
}

const jsonObject = { description: '', content: { 'application/json': { schema: { type: 'object' } } } };

function valueSchema(parameter: Parameter): object {
  const { type, items, enum: options, pattern, minLength, maxLength, allowRandom } = parameter;
  // Null counts as not given.
  const nothing = isOptional(parameter);
  return {
    type: nothing ? [type, 'null'] : type,
    ...(items !== undefined && { items: { type: items.type } }),
    ...(options !== undefined && {
      enum: [...options, ...(allowRandom ? [RANDOM_OPTION] : []), ...(nothing ? [null] : [])],
    }),
    ...(pattern !== undefined && { pattern }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function isOptional(parameter: Parameter): boolean {
  return !parameter.required || parameter.default !== undefined;
}
