import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { AnyObject } from '../any-object.ts';
import { parseTemplate } from './parse-template.ts';

const Verdict = Type.Object({
  valid: Type.Boolean(),
  problems: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Where, such as spec.parameters[0].default.' }),
      reason: Type.String({ description: 'What is wrong there.' }),
    }),
  ),
});

const schema = {
  summary: 'Check a template',
  description:
    'Tells everything that is wrong with a ClaimTemplate; nothing is stored, and its module is not looked for.',
  tags: ['claims'],
  body: AnyObject('The ClaimTemplate.'),
  response: { 200: Verdict },
};

/** `POST /api/v1/claim-templates:validate`: the rules that templates of every source have to meet. */
export const validateTemplate: FastifyPluginAsyncTypebox = async (app) => {
  // Two colons stand for one: the first would begin a parameter.
  app.post('/api/v1/claim-templates::validate', { schema }, async (request) => {
    const parsed = parseTemplate(request.body);
    return 'template' in parsed ? { valid: true, problems: [] } : { valid: false, problems: parsed.problems };
  });
};
