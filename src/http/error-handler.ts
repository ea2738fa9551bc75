import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorShape, Problem, type ProblemCode, problemBody, problems } from './problem.ts';

/** What Fastify's own errors are to our callers: https://fastify.dev/docs/latest/Reference/Errors/ */
const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_BODY',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_BODY',
  // No template has a name that long.
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
};

/** Misfits that one answer names; a body can have as many as it has bytes. */
const MAX_REASONS = 20;
/** Characters of an unknown field's name that are repeated to its sender. */
const MAX_UNKNOWN_NAME = 64;

/** A Fastify error handler that answers in `shape`, and logs the cause of what is our own fault. */
export function errorHandler(shape: ErrorShape) {
  return (error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error, request, shape);
    if (problem.statusCode >= 500) request.log.error({ code: problem.code, ...causeOf(error) }, 'request failed');
    return reply.code(problem.statusCode).headers(problem.headers).send(problemBody(problem, shape));
  };
}

/** For the log. A problem that somebody states says all there is; where a stack leads to is of no interest. */
function causeOf(error: FastifyError | Problem) {
  return error instanceof Problem && error.cause === undefined ? { reason: error.message } : { err: error };
}

/** Turns whatever was thrown into the problem it is for the caller; anything unknown is `INTERNAL`. */
export function toProblem(error: FastifyError | Problem, request: FastifyRequest, shape: ErrorShape): Problem {
  if (error instanceof Problem) return error;
  if (error.validation !== undefined) return validationProblem(error, shape);
  const code = frameworkCodes[error.code];
  if (code !== undefined) return new Problem(code, { cause: error });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem('INVALID_REQUEST', { cause: error });
  }
  return new Problem('INTERNAL', { details: { requestId: request.id }, cause: error });
}

/** Names each field that does not fit the schema of the route; in the shape `status`, which has only text, in the message. */
function validationProblem(error: FastifyError, shape: ErrorShape): Problem {
  const reasons = (error.validation ?? []).slice(0, MAX_REASONS).map(({ instancePath, message, params }) => {
    const unknown =
      'additionalProperty' in params ? ` (${String(params.additionalProperty).slice(0, MAX_UNKNOWN_NAME)})` : '';
    const field = instancePath.slice(1).replaceAll('/', '.') || error.validationContext || 'request';
    return `${field} ${message ?? 'is invalid'}${unknown}`;
  });
  const named = [...new Set(reasons)];
  const code = error.validationContext === 'body' ? 'INVALID_BODY' : 'INVALID_REQUEST';
  const message = shape === 'status' ? `${problems[code].message}: ${named.join('; ')}` : problems[code].message;
  return new Problem(code, { message, details: { problems: named }, cause: error });
}
