import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Config, ConfigSchema } from './config.ts';
import { parseDuration } from './duration.ts';
import { streamProblems } from './messages/redis/stream-problems.ts';

/** What is wrong with the environment; one line per problem, each naming its variable. Values of secrets are left out. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the configuration from environment variables; an empty variable is one that is not set.
 * @throws {ConfigError} with every problem at once.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const values = readVariables(ConfigSchema, env);
  const problems = crossChecks(values);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values);
}

/**
 * Reads the variables that `schema` names.
 * @throws {ConfigError} with every problem of a single variable at once.
 */
export function readVariables<T extends TObject>(schema: T, env: NodeJS.ProcessEnv): Static<T> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const value = env[name] ? parse(property, env[name]) : property.default;
    if (value !== undefined) values[name] = value;
  }
  if (!Value.Check(schema, values)) throw new ConfigError(schemaProblems(schema, values));
  return values;
}

/** What `text` is for `schema`; text that is nothing of the kind stays as it is, for the check to refuse. */
function parse(schema: TSchema, text: string): unknown {
  if (schema.duration) return parseDuration(text) ?? text;
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function schemaProblems(variables: TObject, values: Record<string, unknown>): string[] {
  const problems = new Map<string, string>();
  for (const { path, message, schema } of Value.Errors(variables, values)) {
    const name = path.slice(1);
    if (problems.has(name)) continue;
    const given = values[name];
    if (given === undefined) problems.set(name, `${name} is required`);
    else
      problems.set(
        name,
        `${name}: ${expectation(schema, message)}${schema.secret ? '' : `, not ${JSON.stringify(given)}`}`,
      );
  }
  return [...problems.values()];
}

function expectation(schema: TSchema, message: string): string {
  const { minimum, maximum } = schema;
  if (schema.duration) return `must be a duration such as 90s or 24h, from ${minimum} ms to ${maximum} ms`;
  if (minimum !== undefined) return `must be a whole number from ${minimum} to ${maximum}`;
  if (Array.isArray(schema.enum)) return `must be one of ${schema.enum.join(', ')}`;
  if (schema.type === 'boolean') return 'must be true or false';
  if (schema.pattern !== undefined) return `must match ${schema.pattern}`;
  return message;
}

function crossChecks(config: Config): string[] {
  const problems = streamProblems(config);
  if (!config.CATALOG_SOURCES.includes('kubernetes') && config.WATCH_NAMESPACES !== undefined) {
    problems.push('WATCH_NAMESPACES: needs CATALOG_SOURCES with kubernetes');
  }
  if (config.CODEHOST_WEBHOOK_SECRET_PREVIOUS !== undefined && config.CODEHOST_WEBHOOK_SECRET === undefined) {
    problems.push('CODEHOST_WEBHOOK_SECRET_PREVIOUS: needs CODEHOST_WEBHOOK_SECRET; a single secret goes there');
  }
  return problems;
}
