/** One way in which a server asks for credentials. */
export interface Challenge {
  /** In lower case: `basic`, `bearer`. */
  scheme: string;
  /** By name in lower case. */
  parameters: ReadonlyMap<string, string>;
}

/** Longest header that is looked at, in characters. */
const MAX_LENGTH = 4096;

const token = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const part = new RegExp(`[\\s,]*(${token})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]*)))?`, 'y');

/** Reads a `WWW-Authenticate` header; stops at what is no challenge. RFC 9110, 11.6.1. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  const text = header.slice(0, MAX_LENGTH);
  part.lastIndex = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [, name = '', quoted, plain] = match;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return challenges;
}
