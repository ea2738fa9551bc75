import { Type } from '@sinclair/typebox';
import { problems } from './problem.ts';

const Details = Type.Record(Type.String(), Type.Unknown(), { description: 'More about it, for a program to read.' });

/** Every body that an error can have; specification "Errors" of both services. */
export const ProblemBody = Type.Union(
  [
    Type.Object({ error: Type.String(), details: Type.Optional(Details) }, { title: 'simple' }),
    Type.Object(
      { status: Type.Literal('error'), message: Type.String(), details: Type.Optional(Details) },
      { title: 'of the intake' },
    ),
    Type.Object(
      {
        status: Type.Literal('error'),
        error: Type.Object({
          code: Type.Union(Object.keys(problems).map((code) => Type.Literal(code))),
          message: Type.String(),
          details: Details,
        }),
      },
      { title: 'structured' },
    ),
  ],
  { description: 'What went wrong.' },
);
