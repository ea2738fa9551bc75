import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { runProgram } from '../programs/run-program.ts';
import type { RedisSettings } from './redis-settings.ts';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Paths of PEM files. */
export interface Certificates {
  /** Certificate of the authority; Node trusts it by `NODE_EXTRA_CA_CERTS`, or the `ca` of a connection. */
  ca: string;
  /** Certificate of the server, and its key. */
  cert: string;
  key: string;
  /** With these, `startRedis` starts a server that speaks TLS only, and asks for no certificate of its clients. */
  settings: RedisSettings;
}

/**
 * An authority of its own and a certificate of it, in a folder that goes when the test ends.
 * @param names of the server
 */
export async function makeCertificates(
  t: Pick<Test, 'teardown'>,
  names = 'IP:127.0.0.1,DNS:localhost',
): Promise<Certificates> {
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-tls-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const [ca, cert, key] = [join(dir, 'ca.crt'), join(dir, 'server.crt'), join(dir, 'server.key')];
  const [caKey, request, extensions] = [join(dir, 'ca.key'), join(dir, 'server.csr'), join(dir, 'server.ext')];
  await writeFile(extensions, `subjectAltName=${names}\n`);
  const openssl = (...args: string[]) => runProgram('openssl', args);
  await openssl('req', '-x509', ...newKey, ...subject('Test authority'), '-keyout', caKey, '-out', ca, '-days', '2');
  await openssl('req', ...newKey, ...subject('Test server'), '-keyout', key, '-out', request);
  const authority = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial'];
  await openssl('x509', '-req', '-in', request, ...authority, '-extfile', extensions, '-out', cert, '-days', '2');
  const settings = {
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-ca-cert-file': ca,
    'tls-auth-clients': 'no',
  };
  return { ca, cert, key, settings };
}

const subject = (name: string) => ['-subj', `/CN=${name}`];
