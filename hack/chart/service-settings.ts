import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { ConfigSchema } from '../../src/config.ts';
import { StringEnum } from '../../src/string-enum.ts';

/** Settings that the chart makes itself, from values of their own or from what a pod has. */
const setByChart = new Set<string>([
  'CATALOG_SOURCES',
  'DATA_DIR',
  'DOCKER_CONFIG',
  'HOST',
  'KUBECONFIG',
  'MODULE_CACHE_BYTES',
  'MODULE_CREDENTIALS',
  'MODULE_VERIFY',
  'OPERATOR',
  'PORT',
  'SHUTDOWN_DELAY',
  'SHUTDOWN_TIMEOUT',
  'STREAM_ADDR',
  'STREAM_PORT',
  'STREAM_URL',
  'STREAM_USERNAME',
  'WATCH_NAMESPACES',
]);

const duration = '^([0-9]+(\\.[0-9]+)?(h|m|s|ms))+$';

/** The settings of the service that `config` of the chart may have: all but secrets and what the chart sets itself. */
export function serviceSettings(): TProperties {
  const free = Object.entries<TSchema>(ConfigSchema.properties).filter(
    ([name, schema]) => !(setByChart.has(name) || schema.secret),
  );
  return Object.fromEntries(free.map(([name, schema]) => [name, asValue(schema)]));
}

/** `schema` as it is written in YAML: durations are text there, and what is no text may be quoted. */
function asValue({ duration: isDuration, default: _, ...schema }: TSchema): TSchema {
  const { description = '', minimum, maximum, pattern } = schema;
  if (isDuration) return Type.String({ pattern: duration, description });
  if (schema.type === 'integer') {
    const number = Type.Integer({
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    });
    return Type.Union([number, Type.String({ pattern: '^[0-9]+$' })], { description });
  }
  if (schema.type === 'boolean') return Type.Union([Type.Boolean(), StringEnum(['true', 'false'])], { description });
  // Helm's regular expressions look neither ahead nor behind; such a pattern is left to the service.
  if (pattern?.includes('(?!')) return Type.String({ description });
  return Type.Unsafe(schema);
}
