/** What a connection can fail with by names of its own; the message of the system may have more than callers should see. */
const codeForm = /^[A-Z][A-Z0-9_]{1,63}$/;

/** Codes that the next try would meet again. */
const lasting = new Set(['ENOTFOUND', 'ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'HPE_INVALID_CONSTANT']);

/** No answer could be had from a host. The message has no more than the host and a code such as ECONNREFUSED. */
export class ConnectionError extends Error {
  /** Whether another try may fare better: not where a certificate is wrong, or a name is not known. */
  readonly mayPass: boolean;

  constructor(host: string, cause: unknown) {
    const code = codeOf(cause);
    super(`${host} cannot be reached: ${code}`, { cause });
    this.name = 'ConnectionError';
    this.mayPass = !lasting.has(code) && !isAboutTrust(code);
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codeForm.test(code) ? code : 'connection failed';
}

function isAboutTrust(code: string): boolean {
  return /CERT|SSL|TLS|ISSUER|SIGNED/.test(code);
}
