import type { Config } from '../../config.ts';
import { reasonOf } from '../../reason-of.ts';
import { isHost, parseStreamUrl, type RedisTarget } from './redis-target.ts';

/** What is wrong about the `STREAM_` settings taken together; one line each, naming its variable, without values. */
export function streamProblems(config: Config): string[] {
  const { STREAM_ADDR: addr, STREAM_URL: url } = config;
  const { target, problem } = url === undefined ? {} : parsed(url);
  const problems = problem === undefined ? [] : [`STREAM_URL: ${problem}`];
  if (addr !== undefined && url !== undefined) problems.push('STREAM_ADDR: excludes STREAM_URL; set one of them');
  else if (addr !== undefined && !isHost(addr)) {
    problems.push(
      'STREAM_ADDR: must be a host name or an IP address; the port goes to STREAM_PORT, a URL to STREAM_URL',
    );
  }
  if (addr === undefined && url === undefined) return embeddedProblems(config);

  if (!/^[^{}]*(\{[^{}]+\}[^{}]*)?$/.test(config.STREAM_NAME)) {
    problems.push('STREAM_NAME: braces must be one hash tag with something in it, as in {team}-messages');
  }
  return problem === undefined ? [...problems, ...targetProblems(config, target)] : problems;
}

function parsed(url: string): { target?: RedisTarget; problem?: string } {
  try {
    return { target: parseStreamUrl(url) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

function embeddedProblems(config: Config): string[] {
  const ofRedis = ['STREAM_USERNAME', 'STREAM_PASSWORD', 'STREAM_TLS_CA', 'STREAM_SENTINEL_PASSWORD'] as const;
  const problems = ofRedis
    .filter((name) => config[name] !== undefined)
    .map((name) => `${name}: needs STREAM_ADDR or STREAM_URL`);
  if ((config.STREAM_ACK ?? 'fsync') !== 'fsync') {
    problems.push('STREAM_ACK: the embedded store acknowledges with fsync only');
  }
  return problems;
}

/** `target` is what the URL says, if there is one. */
function targetProblems(config: Config, target: RedisTarget | undefined): string[] {
  const problems: string[] = [];
  if (config.STREAM_USERNAME !== undefined && target?.username !== undefined) {
    problems.push('STREAM_USERNAME: given twice; STREAM_URL has a user too');
  }
  if (config.STREAM_PASSWORD !== undefined && target?.password !== undefined) {
    problems.push('STREAM_PASSWORD: given twice; STREAM_URL has a password too');
  }
  if (config.STREAM_TLS_CA !== undefined && target?.tls === undefined) {
    problems.push('STREAM_TLS_CA: needs a STREAM_URL with TLS, which begins with rediss');
  }
  if (config.STREAM_SENTINEL_PASSWORD !== undefined && target?.kind !== 'sentinel') {
    problems.push('STREAM_SENTINEL_PASSWORD: needs a STREAM_URL with +sentinel');
  }
  return problems;
}
