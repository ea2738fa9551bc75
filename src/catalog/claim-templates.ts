import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, problems } from '../http/problem.ts';
import type { Catalog, Document } from './catalog.ts';
import { ClaimTemplate, ClaimTemplateList } from './claim-template.ts';

export interface ClaimTemplatesOptions {
  catalog: Catalog;
  errorShape: 'structured' | 'simple';
}

const Term = Type.String({ maxLength: 256 });
const ListQuery = Type.Object({
  tag: Type.Optional(
    Type.Union([Term, Type.Array(Term, { maxItems: 16 })], {
      description: 'Exact, any letter case; repeatable, all must match.',
    }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 256, description: 'Part of name, title, description or a tag, any letter case.' }),
  ),
});

/** Template names in a path; which of them exist is for the catalog to say. */
export const TemplateParams = Type.Object({ name: Type.String({ description: 'metadata.name of the template.' }) });

/** `GET /api/v1/claim-templates` and `/{name}`; specification "Endpoints". */
export const claimTemplates: FastifyPluginAsyncTypebox<ClaimTemplatesOptions> = async (
  app,
  { catalog, errorShape },
) => {
  const tags = ['claims'];

  app.get(
    '/api/v1/claim-templates',
    { schema: { summary: 'List templates', tags, querystring: ListQuery, response: { 200: ClaimTemplateList } } },
    (request, reply) => {
      const { tag = [], search = '' } = request.query;
      sendDocument(request, reply, catalog.list([tag].flat(), search));
    },
  );

  app.get(
    '/api/v1/claim-templates/:name',
    {
      schema: {
        summary: 'One template with its parameters',
        tags,
        params: TemplateParams,
        response: { 200: ClaimTemplate },
      },
    },
    (request, reply) => {
      const { name } = request.params;
      const document = catalog.describe(name);
      if (document === undefined) throw templateNotFound(name, errorShape);
      sendDocument(request, reply, document);
    },
  );
};

/** @returns the problem of an unknown template name, in one of the two shapes of specification "Errors". */
export function templateNotFound(name: string, shape: 'structured' | 'simple'): Problem {
  if (shape === 'simple') return new Problem('NOT_FOUND', { message: problems.TEMPLATE_NOT_FOUND.message });
  return new Problem('TEMPLATE_NOT_FOUND', { details: { template: name } });
}

/** Sends a document, or 304 where the caller has it already (RFC 9110 13.1.2). */
function sendDocument(request: FastifyRequest, reply: FastifyReply, { body, etag }: Document): void {
  reply.header('etag', etag);
  if (matches(request.headers['if-none-match'], etag)) reply.code(304).send();
  else reply.type('application/json; charset=utf-8').send(body);
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
