import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ClaimTemplate, ClaimTemplateList } from '../../src/catalog/claim-template.ts';
import { orderPaths } from './order-paths.ts';

const HeaderParameter = Type.Object({ name: Type.String(), required: Type.Optional(Type.Boolean()) });
const Document = Type.Object({
  paths: Type.Intersect([
    Type.Record(Type.String(), Type.Unknown()),
    Type.Object({ '/pitch/codehost': Type.Object({ post: Type.Object({ parameters: Type.Array(HeaderParameter) }) }) }),
  ]),
});

/**
 * The OpenAPI document of the server at `url`, with what OpenAPI has no words for made definite: which parameters the
 * orders of each template take, and that a code host's webhook needs one of the event headers.
 */
export async function fuzzDocument(url: string): Promise<object> {
  const document = await get(Document, `${url}/openapi.json`);
  requireEventHeader(document.paths['/pitch/codehost'].post);
  const { items } = await get(ClaimTemplateList, `${url}/api/v1/claim-templates`);
  const templates = await Promise.all(
    items.map(({ metadata }) => get(ClaimTemplate, `${url}/api/v1/claim-templates/${metadata.name}`)),
  );
  return { ...document, paths: { ...document.paths, ...orderPaths(templates) } };
}

/** One of three headers must be there. Without the other two, that is this one. */
function requireEventHeader(operation: { parameters: Static<typeof HeaderParameter>[] }): void {
  const aliases = ['x-github-event', 'x-gitea-event'];
  operation.parameters = operation.parameters.filter(({ name }) => !aliases.includes(name));
  for (const parameter of operation.parameters) if (parameter.name === 'x-codehost-event') parameter.required = true;
}

async function get<T extends TSchema>(schema: T, url: string): Promise<Static<T>> {
  const body: unknown = await (await fetch(url)).json();
  const [problem] = Value.Errors(schema, body);
  if (problem !== undefined) throw new Error(`${url} answered something else: ${problem.path} ${problem.message}`);
  return body;
}
