/**
 * What one client can take from the HTTP server. Times in milliseconds.
 * https://nodejs.org/api/http.html#class-httpserver
 */
export const limits = {
  /** From the first byte of a request to the last of its body: ends slow bodies. */
  requestTimeout: 30_000,
  /** For the complete headers: ends slow headers. */
  headersTimeout: 10_000,
  /** An idle connection; longer than the 60 s after which common load balancers close theirs. */
  keepAliveTimeout: 72_000,
  /** All headers of a request together, in bytes; more is 431. */
  maxHeaderSize: 16_384,
  /** Open connections; one more is closed at once. */
  maxConnections: 10_000,
  /** Characters of one path parameter; a Kubernetes name has at most 253. */
  maxParamLength: 256,
} as const;
