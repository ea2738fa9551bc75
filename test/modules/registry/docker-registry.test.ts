import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Test } from 'tap';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { moduleRegistryContract } from '../module-registry.contract.ts';
import { skipWithoutRegistry as skip, startDockerRegistry, USER } from './docker-registry.ts';
import { publish, REPOSITORY } from './publish.ts';
import { remote } from './remote.ts';
import { startTokenServer } from './token-server.ts';

const basic = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString('base64')}`;
const user = async () => USER;

moduleRegistryContract(
  'registry',
  async (t, options) => {
    const { host, url } = await startDockerRegistry(t);
    await publish({ url }, options);
    return { registry: remote({ plainHttp: [host] }), source: `oci://${host}/${REPOSITORY}` };
  },
  skip,
);

moduleRegistryContract(
  'registry with passwords',
  async (t, options) => {
    const { host, url } = await startDockerRegistry(t, { auth: 'htpasswd' });
    await publish({ url, authorization: basic }, options);
    return { registry: remote({ plainHttp: [host], credentials: user }), source: `oci://${host}/${REPOSITORY}` };
  },
  skip,
);

async function secure(t: Test) {
  const certificates = await makeCertificates(t);
  const registry = await startDockerRegistry(t, { tls: certificates });
  const secureContext = createSecureContext({ ca: readFileSync(certificates.ca) });
  return { ...registry, exchange: createExchange({ secureContext }) };
}

moduleRegistryContract(
  'registry by TLS',
  async (t, options) => {
    const { host, url, exchange } = await secure(t);
    await publish({ url, exchange }, options);
    return { registry: remote({ exchange }), source: `oci://${host}/${REPOSITORY}` };
  },
  skip,
);

moduleRegistryContract(
  'registry with a token server',
  async (t, options) => {
    const tokens = await startTokenServer(t);
    const { host, url } = await startDockerRegistry(t, { auth: tokens.auth });
    const authorization = `Bearer ${tokens.issue(REPOSITORY, ['pull', 'push'])}`;
    await publish({ url, authorization }, options);
    return { registry: remote({ plainHttp: [host], credentials: user }), source: `oci://${host}/${REPOSITORY}` };
  },
  skip,
);
