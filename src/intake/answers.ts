import { Type } from '@sinclair/typebox';
import { AnyObject } from '../any-object.ts';

/** Specification "Errors": how every intake endpoint refuses. */
const Refused = Type.Object({
  status: Type.Literal('error'),
  message: Type.String(),
  details: Type.Optional(AnyObject('More about what is wrong, for a program to read.')),
});

/** The answers that all intake endpoints share, for the OpenAPI document. */
export const refusals = { 400: Refused, 401: Refused, 503: Refused } as const;

/** The answer to one message that was taken. */
export const Enqueued = Type.Object({
  status: Type.Literal('success'),
  message: Type.String(),
  objectID: Type.String({ description: 'Stream entry id, `<milliseconds>-<sequence>`.' }),
});
