import { isIP, isIPv6 } from 'node:net';
import type { Config } from '../../config.ts';

/** Most hosts that one URL may name. */
const MAX_HOSTS = 32;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

export interface Endpoint {
  /** Host name or IP address; IPv6 without brackets. */
  host: string;
  port: number;
}

interface Access {
  /** ACL user; the default user if there is none. */
  username?: string;
  password?: string;
  /** There if all servers speak TLS. `caFile` has, as PEM, the authorities to trust in place of the usual ones. */
  tls?: { caFile?: string };
}

/** Which Redis keeps the messages, and how it is reached. `db` is from 0 to 15; a cluster has the first only. */
export type RedisTarget =
  | (Access & Endpoint & { kind: 'standalone'; db: number })
  | (Access & { kind: 'sentinel'; sentinels: Endpoint[]; name: string; sentinelPassword?: string; db: number })
  | (Access & { kind: 'cluster'; nodes: Endpoint[] });

export type TargetConfig = Pick<
  Config,
  | 'STREAM_ADDR'
  | 'STREAM_PORT'
  | 'STREAM_USERNAME'
  | 'STREAM_PASSWORD'
  | 'STREAM_URL'
  | 'STREAM_TLS_CA'
  | 'STREAM_SENTINEL_PASSWORD'
>;

/**
 * The Redis that `config` tells to use; undefined where it tells of none, which means the embedded store.
 * @throws as `parseStreamUrl`, which no configuration that `readConfig` accepted does.
 */
export function readTarget(config: TargetConfig): RedisTarget | undefined {
  const { STREAM_URL: url, STREAM_ADDR: host, STREAM_PORT: port } = config;
  if (url !== undefined) return completed(parseStreamUrl(url), config);
  return host === undefined ? undefined : completed({ kind: 'standalone', host, port, db: 0 }, config);
}

function completed(target: RedisTarget, config: TargetConfig): RedisTarget {
  const { STREAM_USERNAME: username, STREAM_PASSWORD: password, STREAM_TLS_CA: caFile } = config;
  const { STREAM_SENTINEL_PASSWORD: sentinelPassword } = config;
  return {
    ...target,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(target.tls !== undefined && caFile !== undefined && { tls: { caFile } }),
    ...(target.kind === 'sentinel' && sentinelPassword !== undefined && { sentinelPassword }),
  };
}

/**
 * Reads a URL of one of the forms that `docs/configuration.md` gives for `STREAM_URL`.
 * @throws what is wrong with it, without any part of it: whatever stands at a wrong place may belong to a password.
 */
export function parseStreamUrl(text: string): RedisTarget {
  const [, secure, kind, rest] = /^redis(s?)(\+sentinel|\+cluster)?:\/\/(.*)$/s.exec(text) ?? [];
  if (rest === undefined) throw new Error('must begin with redis:// or rediss://, or these with +sentinel or +cluster');
  const [whole, userinfo = '', hosts = '', path = ''] = /^(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@?#]*))?$/.exec(rest) ?? [];
  if (whole === undefined) {
    throw new Error('takes no query or fragment, and @, /, ? and # in user or password must be percent-encoded');
  }
  const access = { ...credentials(userinfo), ...(secure && { tls: {} }) };
  if (kind === '+cluster') return { ...access, ...cluster(hosts, path) };
  return { ...access, ...(kind === '+sentinel' ? sentinel(hosts, path) : standalone(hosts, path)) };
}

function standalone(hosts: string, path: string) {
  const [first, second] = endpoints(hosts, REDIS_PORT);
  if (first === undefined || second !== undefined) throw new Error('takes one host without +sentinel or +cluster');
  return { kind: 'standalone' as const, ...first, db: database(path) };
}

function sentinel(hosts: string, path: string) {
  const sentinels = endpoints(hosts, SENTINEL_PORT);
  const [, name, db] = /^([A-Za-z0-9._-]+)(?:\/(.*))?$/s.exec(path) ?? [];
  if (name === undefined) throw new Error('must have as its path what the sentinels call the master (A-z, 0-9, ._-)');
  return { kind: 'sentinel' as const, sentinels, name, db: database(db) };
}

function cluster(hosts: string, path: string) {
  if (path !== '') throw new Error('takes no path with +cluster; a cluster has database 0 only');
  return { kind: 'cluster' as const, nodes: endpoints(hosts, REDIS_PORT) };
}

/** An empty user or password is one that is not given. */
function credentials(userinfo: string): Pick<Access, 'username' | 'password'> {
  const [, user = '', secret = ''] = /^([^:]*):?(.*)$/s.exec(userinfo) ?? [];
  return { ...(user !== '' && { username: decoded(user) }), ...(secret !== '' && { password: decoded(secret) }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('user and password must be percent-encoded UTF-8');
  }
}

function database(text = ''): number {
  if (text !== '' && !/^(\d|1[0-5])$/.test(text)) throw new Error('must end with a database number from 0 to 15');
  return Number(text);
}

function endpoints(text: string, defaultPort: number): Endpoint[] {
  const hosts = text.split(',');
  if (hosts.length > MAX_HOSTS) throw new Error(`must not name more than ${MAX_HOSTS} hosts`);
  return hosts.map((host, i) => endpoint(host, defaultPort, hosts.length > 1 ? `host ${i + 1}` : 'the host'));
}

function endpoint(text: string, defaultPort: number, which: string): Endpoint {
  if (text === '') throw new Error(`${which} is missing`);
  const [, ip, name = ip, port = String(defaultPort)] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(text) ?? [];
  if (name === undefined || !(name === ip ? isIPv6(name) : isHost(name))) {
    throw new Error(`${which} must be a host name or an IP address, IPv6 in brackets`);
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`the port of ${which} must be from 1 to 65535`);
  }
  return { host: name, port: Number(port) };
}

/** Whether `text` is a host name or an IP address, nothing more. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/.test(text));
}
