import { ConnectionError } from '../../modules/remote/connection-error.ts';
import { Failure } from '../failure.ts';

/** Codes of Node and OpenSSL, and what people can do about them; the first that fits. */
const advice: readonly (readonly [code: RegExp, line: string])[] = [
  [/ECONNREFUSED/, 'nothing listens there: is the service started, and are host and port right?'],
  [/ENOTFOUND|EAI_AGAIN/, 'the host name is not known'],
  [/ALTNAME/, 'its certificate is for another host name'],
  [/HAS_EXPIRED/, 'its certificate has expired'],
  [/CERT|ISSUER|SIGNED|SIGNATURE/, 'its certificate is not trusted; --ca-file names the authority it is from'],
  [/WRONG_VERSION|EPROTO|PACKET_LENGTH/, 'it does not speak TLS; is it http:// rather than https://?'],
  [/HPE_/, 'it does not speak HTTP; is it https:// rather than http://?'],
  [/ECONNRESET|EPIPE/, 'it hung up; is it https:// rather than http://?'],
  [/PROXY|TUNNEL/, 'the proxy of HTTPS_PROXY or HTTP_PROXY refuses; NO_PROXY names hosts to reach without it'],
];

/** What people are told where no answer could be had; what is no failure of a connection stays as it is. */
export function unreachable(cause: unknown, url: URL): unknown {
  if (!(cause instanceof ConnectionError)) return cause;
  const line = advice.find(([code]) => code.test(cause.message))?.[1];
  // Its message begins with the host.
  return new Failure('failure', `${url.protocol}//${cause.message}`, line === undefined ? [] : [line], { cause });
}
