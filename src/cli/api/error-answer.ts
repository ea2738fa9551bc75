import { Type } from '@sinclair/typebox';

const Details = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

/** All bodies of errors of both specifications; also with codes that only a newer service knows. */
export const ErrorAnswer = Type.Object({
  message: Type.Optional(Type.String()),
  details: Details,
  error: Type.Optional(
    Type.Union([
      Type.String(),
      Type.Object({ code: Type.Optional(Type.String()), message: Type.Optional(Type.String()), details: Details }),
    ]),
  ),
});
