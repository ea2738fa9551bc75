import { reasonOf } from '../../reason-of.ts';

/** Why a connection failed, for people. Errors of ioredis have whole commands in them, also with passwords: not told. */
export function connectionProblem(error: unknown): string {
  // A name with several addresses fails with an error for each, and has no message of its own.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return withoutArguments(errors.map(reasonOf).join(', '));
}

/** A server that does not know a command repeats its arguments, of which one may be a password. */
function withoutArguments(message: string): string {
  return message.replace(/,? with args beginning with.*/s, '');
}
