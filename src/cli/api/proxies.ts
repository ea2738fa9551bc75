import { Failure } from '../failure.ts';

const proxies = ['HTTPS_PROXY', 'HTTP_PROXY'];
const inEitherCase = (name: string) => [name, name.toLowerCase()];

/**
 * What the environment says of proxies, for Node, which would go without one that it cannot read.
 * @throws {Failure} naming the variable. Its value may have a password, and is not told.
 */
export function proxiesIn(env: NodeJS.ProcessEnv): Record<string, string> {
  const wrong = proxies.flatMap(inEitherCase).find((name) => env[name] && !/^https?:\/\//.test(env[name]));
  if (wrong !== undefined) {
    throw new Failure('usage', `${wrong}: write an address such as http://proxy.example.org:3128`);
  }
  const names = [...proxies, 'NO_PROXY'].flatMap(inEitherCase);
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
