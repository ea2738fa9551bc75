/**
 * Every error an endpoint can answer: code, HTTP status and default message, one line each.
 * `docs/errors.md` is generated from this table.
 */
export const problems = {
  INVALID_REQUEST: { status: 400, message: 'invalid request' },
  INVALID_BODY: { status: 400, message: 'invalid request body' },
  MISSING_REQUIRED_PARAMETER: { status: 400, message: 'a required parameter is missing', structured: true },
  MISSING_AUTHORIZATION: { status: 401, message: 'missing authorization header' },
  INVALID_TOKEN: { status: 401, message: 'invalid token' },
  INVALID_SIGNATURE: { status: 401, message: 'invalid signature' },
  NOT_FOUND: { status: 404, message: 'not found' },
  TEMPLATE_NOT_FOUND: { status: 404, message: 'template not found', structured: true },
  METHOD_NOT_ALLOWED: { status: 405, message: 'method not allowed' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'unsupported media type, send application/json' },
  VALIDATION_FAILED: { status: 422, message: 'parameter validation failed', structured: true },
  RENDER_FAILED: { status: 422, message: 'the claim cannot be rendered with these parameters', structured: true },
  INTERNAL: { status: 500, message: 'internal server error', structured: true },
  SIGNATURE_INVALID: {
    status: 500,
    message: 'the module of this template is not signed by a trusted key',
    structured: true,
  },
  MODULE_INVALID: { status: 500, message: 'the module of this template is broken', structured: true },
  ENGINE_UNAVAILABLE: {
    status: 503,
    message: 'the program that renders this template is not installed',
    structured: true,
  },
  MODULE_UNAVAILABLE: { status: 503, message: 'the module of this template is not available', structured: true },
  STORE_UNAVAILABLE: { status: 503, message: 'the message store is not available' },
} as const satisfies Record<string, { status: number; message: string; structured?: true }>;

export type ProblemCode = keyof typeof problems;

/** How an endpoint words its errors: `{error}` or `{status: "error", message}`. */
export type ErrorShape = 'simple' | 'status';

export interface ProblemOptions {
  message?: string;
  /** More for the caller to read, e.g. which parameters failed. Never a secret, never a stack trace. */
  details?: Record<string, unknown>;
  /** Response headers that belong to this error, e.g. `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error whose answer to the caller is known. Thrown anywhere below a route; answered by `errorHandler`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly statusCode: number;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.message ?? problems[code].message, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.statusCode = problems[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** The JSON body that tells `problem` to the caller. Codes with a structured body have it in every shape. */
export function problemBody(problem: Problem, shape: ErrorShape): Record<string, unknown> {
  const { code, message, details } = problem;
  if ('structured' in problems[code]) return { status: 'error', error: { code, message, details: details ?? {} } };
  const more = details === undefined ? {} : { details };
  return shape === 'status' ? { status: 'error', message, ...more } : { error: message, ...more };
}
