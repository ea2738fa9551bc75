import { type SchemaOptions, type Static, Type } from '@sinclair/typebox';
import { StringEnum } from './string-enum.ts';

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** Written as a Go duration (`24h`, `1m30s`), held in milliseconds. */
    duration?: true;
    /** Never printed. */
    secret?: true;
  }
}

const second = 1000;
const hour = 3600 * second;

const Text = (options: SchemaOptions & { pattern?: string }) => Type.String({ maxLength: 4096, ...options });
const Flag = (description: string) => Type.Boolean({ default: false, description });
const Duration = (options: { minimum: number; maximum: number; default: number; description: string }) =>
  Type.Number({ ...options, duration: true });

/** Every environment variable that Frontdesk reads. `docs/configuration.md` is generated from it. */
export const ConfigSchema = Type.Object({
  AUTH_TOKEN: Text({
    secret: true,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Bearer token of intake and analytics. Visible ASCII.',
  }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: 'HTTP port; 0 takes a free one.' }),
  HOST: Text({ default: '0.0.0.0', description: 'Address to listen on.' }),
  LOG_LEVEL: StringEnum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Least severe level that is logged.',
  }),
  MAX_BODY_BYTES: Type.Integer({
    minimum: 1024,
    maximum: 67_108_864,
    default: 1_048_576,
    description: 'Largest request body; more is 413.',
  }),
  SHUTDOWN_TIMEOUT: Duration({
    minimum: second,
    maximum: hour,
    default: 20 * second,
    description: 'How long requests in flight may take to finish after a stop signal.',
  }),
  DATA_DIR: Text({ default: 'data', description: 'Folder of the embedded store; made if missing.' }),
  STREAM_ADDR: Type.Optional(
    Text({
      description:
        'Reserved for the address of a stream store; this version keeps messages in the embedded store only.',
    }),
  ),
  STREAM_PORT: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    default: 6379,
    description: 'Reserved for the port of a stream store.',
  }),
  STREAM_PASSWORD: Type.Optional(Text({ secret: true, description: 'Reserved for the password of a stream store.' })),
  STREAM_URL: Type.Optional(Text({ secret: true, description: 'Reserved for the URL of a stream store.' })),
  STREAM_NAME: Text({ default: 'messages', pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Name of the stream.' }),
  STREAM_SEARCH_INDEX: Type.Optional(
    Text({
      pattern: '^(?!frontdesk_|sqlite_)[A-Za-z_][A-Za-z0-9_:.-]{0,63}$',
      description: 'Name of a full-text index of all messages; empty for none.',
    }),
  ),
  STREAM_MAXLEN: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: 1_000_000,
    description: 'Most messages kept; the oldest go first.',
  }),
  STREAM_RETENTION: Duration({
    minimum: 60 * second,
    maximum: 87_600 * hour,
    default: 720 * hour,
    description: 'How long a message is kept.',
  }),
  STREAM_TIMEOUT: Duration({
    minimum: 10,
    maximum: 60 * second,
    default: 2 * second,
    description: 'Longest wait for the store before a message counts as failed.',
  }),
  STREAM_ACK: Text({
    default: 'fsync',
    pattern: '^(memory|fsync|replica:[1-9][0-9]?)$',
    description:
      'What must have happened to a message before it is acknowledged; the embedded store knows `fsync` only.',
  }),
  CODEHOST_WEBHOOK_SECRET: Type.Optional(
    Text({
      secret: true,
      description: 'HMAC secret of code-host webhooks. Set, each must be signed; else each needs the bearer token.',
    }),
  ),
  CODEHOST_ALLOW_UNSIGNED: Flag('Takes code-host webhooks without signature and token where no secret is set.'),
  ALERT_DEDUP: Duration({
    minimum: 0,
    maximum: 720 * hour,
    default: 0,
    description: 'Within this time the same alert (fingerprint, start, status) is enqueued once; 0 enqueues each.',
  }),
  CLAIMS_AUTH: StringEnum(['none', 'token', 'all'], {
    default: 'none',
    description: 'Which claim endpoints need the bearer token: none, orders (`token`), or all.',
  }),
  ERROR_SHAPE: StringEnum(['structured', 'simple'], {
    default: 'structured',
    description: 'Body of the 404 for an unknown template.',
  }),
  CATALOG_SOURCES: StringEnum(['folder'], { default: 'folder', description: 'Where templates come from.' }),
  TEMPLATES_DIR: Text({
    default: 'templates',
    description: 'Folder of ClaimTemplate files; replaces the built-in templates.',
  }),
  MODULES_DIR: Text({
    default: 'templates/modules/oci',
    description: 'OCI image layout that holds the modules of the templates.',
  }),
  WATCH_NAMESPACES: Type.Optional(
    Text({ description: 'Reserved for the namespaces whose ClaimTemplate resources are served.' }),
  ),
});

/** All settings of one process, checked. Durations are in milliseconds. */
export type Config = Readonly<Static<typeof ConfigSchema>>;
