import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ClaimTemplate, ClaimTemplateList } from '../../src/catalog/claim-template.ts';
import { orderPaths } from './order-paths.ts';

const Document = Type.Object({ paths: Type.Record(Type.String(), Type.Unknown()) });

/** The OpenAPI document of the server at `url`, and beside its paths one for orders of each template. */
export async function fuzzDocument(url: string): Promise<object> {
  const document = await get(Document, `${url}/openapi.json`);
  const { items } = await get(ClaimTemplateList, `${url}/api/v1/claim-templates`);
  const templates = await Promise.all(
    items.map(({ metadata }) => get(ClaimTemplate, `${url}/api/v1/claim-templates/${metadata.name}`)),
  );
  return { ...document, paths: { ...document.paths, ...orderPaths(templates) } };
}

async function get<T extends TSchema>(schema: T, url: string): Promise<Static<T>> {
  const body: unknown = await (await fetch(url)).json();
  const [problem] = Value.Errors(schema, body);
  if (problem !== undefined) throw new Error(`${url} answered something else: ${problem.path} ${problem.message}`);
  return body;
}
