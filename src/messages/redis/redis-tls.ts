import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { reasonOf } from '../../reason-of.ts';

/**
 * What connections by TLS have in common. Each checks the certificate against the host that it connects to.
 * @throws naming STREAM_TLS_CA, where its file has no certificate.
 */
export function tlsOptions({ caFile }: { caFile?: string }): ConnectionOptions {
  if (caFile === undefined) return {};
  try {
    const ca = readFileSync(caFile);
    // A secure context takes anything for a list of certificates, also nothing.
    new X509Certificate(ca);
    return { secureContext: createSecureContext({ ca }) };
  } catch (error) {
    throw new Error(`STREAM_TLS_CA: no certificate can be read from ${caFile}: ${reasonOf(error)}`);
  }
}

/** Options for connections to `host` only: a server that has several certificates is told which. */
export function tlsOptionsFor(host: string, options: ConnectionOptions): ConnectionOptions {
  return isIP(host) === 0 ? { ...options, servername: host } : options;
}
