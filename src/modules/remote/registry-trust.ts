import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { reasonOf } from '../../reason-of.ts';

/**
 * What registries are trusted by: Node's authorities, and those of a PEM file beside them, since modules may come from
 * registries of one's own and from public ones.
 * @throws naming the setting, where its file has no certificate.
 */
export function registryTrust(caFile: string | undefined, name = 'MODULE_CA'): SecureContext | undefined {
  if (caFile === undefined) return undefined;
  try {
    const own = readFileSync(caFile, 'utf8');
    // A secure context takes anything for a list of certificates, also nothing.
    new X509Certificate(own);
    return createSecureContext({ ca: [...getCACertificates('default'), own] });
  } catch (error) {
    throw new Error(`${name}: no certificate can be read from ${caFile}: ${reasonOf(error)}`);
  }
}
