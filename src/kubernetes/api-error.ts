import { ApiException } from '@kubernetes/client-node';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { reasonOf } from '../reason-of.ts';

/** What is read of the `Status` with which the API server refuses. */
const Status = Type.Object({ message: Type.String() });

/** The HTTP status with which the API server refused, if it answered at all. */
export function apiStatus(error: unknown): number | undefined {
  return error instanceof ApiException ? error.code : undefined;
}

/** Why a call failed, in one line. The client's own message has all headers and the body. */
export function apiReason(error: unknown): string {
  if (error instanceof ApiException) return `${error.code} ${messageIn(error.body) ?? 'from the API server'}`;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? reasonOf(error) : `${reasonOf(error)}: ${reasonOf(cause)}`;
}

function messageIn(body: unknown): string | undefined {
  try {
    const status: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return Value.Check(Status, status) ? status.message : undefined;
  } catch {
    // A proxy may answer with anything.
    return undefined;
  }
}
