import { parseDuration } from '../../duration.ts';
import { Failure } from '../failure.ts';
import { readInput } from '../read-input.ts';
import type { ApiFlags } from './api-flags.ts';

const MAX_TIMEOUT_MS = 3_600_000;
/** RFC 6750 2.1 takes fewer; the service takes all of these. */
const tokenForm = /^[\x21-\x7e]{1,4096}$/;

export interface ApiSettings {
  /** Ends with a slash. */
  address: URL;
  token: string | undefined;
  caFile: string | undefined;
  timeoutMs: number;
}

/**
 * What flags and environment say of the service. A token never comes from an argument, which everybody could read.
 * @throws {Failure} naming the flag or variable.
 */
export async function apiSettings(flags: ApiFlags, env: NodeJS.ProcessEnv): Promise<ApiSettings> {
  const [name, text] = flags.api === undefined ? ['CLAIM_API_URL', env.CLAIM_API_URL] : ['--api', flags.api];
  if (!text) throw new Failure('usage', 'where is the service? Name it by --api or CLAIM_API_URL');
  return {
    address: addressIn(text, name),
    token: await readToken(flags, env),
    caFile: flags.caFile,
    timeoutMs: timeoutIn(flags.timeout),
  };
}

function addressIn(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Failure('usage', `${name}: write an address such as https://frontdesk.example.org`);
  }
  if (url.username || url.password) throw new Failure('usage', `${name}: an address has no user and no password here`);
  if (url.search || url.hash) throw new Failure('usage', `${name}: an address has no ? and no # here`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function readToken({ tokenFile }: ApiFlags, { FRONTDESK_TOKEN }: NodeJS.ProcessEnv): Promise<string | undefined> {
  const text = tokenFile === undefined ? FRONTDESK_TOKEN : await readInput(tokenFile, '--token-file');
  const token = text?.trim();
  if (!token && tokenFile === undefined) return undefined;
  if (token && tokenForm.test(token)) return token;
  // What it is instead is not told: it may be a secret all the same.
  throw new Failure('usage', `${tokenFile === undefined ? 'FRONTDESK_TOKEN' : '--token-file'}: this is no token`);
}

function timeoutIn(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1 && ms <= MAX_TIMEOUT_MS) return ms;
  throw new Failure('usage', `--timeout ${text}: write a duration such as 30s or 2m, up to 1h`);
}
