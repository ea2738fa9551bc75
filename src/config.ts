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

const host = '(\\[[0-9a-f:]+\\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:[0-9]{1,5})?';

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
  SHUTDOWN_DELAY: Duration({
    minimum: 0,
    maximum: 600 * second,
    default: 0,
    description:
      'How long requests are served as before after a stop signal, with `Connection: close` and with `/ready` at 503: as long as load balancers may take to send none any more.',
  }),
  SHUTDOWN_TIMEOUT: Duration({
    minimum: second,
    maximum: hour,
    default: 20 * second,
    description: 'How long requests in flight may take to finish after a stop signal and `SHUTDOWN_DELAY`.',
  }),
  DATA_DIR: Text({ default: 'data', description: 'Folder of the embedded store; made if missing.' }),
  STREAM_ADDR: Type.Optional(
    Text({
      description:
        'Host name or IP address of the Redis server that keeps the messages; without it and `STREAM_URL` the embedded store does.',
    }),
  ),
  STREAM_PORT: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    default: 6379,
    description: 'Port of the Redis server at `STREAM_ADDR`.',
  }),
  STREAM_USERNAME: Type.Optional(
    Text({ description: 'ACL user of the Redis server, unless the URL has it; the default user without it.' }),
  ),
  STREAM_PASSWORD: Type.Optional(
    Text({ secret: true, description: 'Password of the Redis server, unless the URL has it.' }),
  ),
  STREAM_URL: Type.Optional(
    Text({
      secret: true,
      description:
        'In place of `STREAM_ADDR`, for TLS, Sentinel and Cluster: `redis://[user[:password]@]host[:port][/db]`, `redis+sentinel://…host[:port],…/name[/db]`, or `redis+cluster://…host[:port],…`; with `rediss` in place of `redis` by TLS.',
    }),
  ),
  STREAM_TLS_CA: Type.Optional(
    Text({
      description: 'PEM file of the authorities whose certificates the servers of a `rediss` URL may have.',
    }),
  ),
  STREAM_SENTINEL_PASSWORD: Type.Optional(
    Text({ secret: true, description: 'Password of the sentinels of a `+sentinel` URL.' }),
  ),
  STREAM_NAME: Text({
    default: 'messages',
    pattern: '^[\\x21-\\x7e]{1,128}$',
    description: 'Name of the stream; braces in Redis only as one hash tag, as in `{team}-messages`.',
  }),
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
  STREAM_ACK: Type.Optional(
    Text({
      pattern: '^(memory|fsync|replica:[1-9][0-9]?)$',
      description:
        'What must have happened to a message before it is acknowledged: the server has it in memory, has it on disk, or so many replicas have it. `fsync` unless set for the embedded store, which knows nothing else; `memory` for Redis.',
    }),
  ),
  CODEHOST_WEBHOOK_SECRET: Type.Optional(
    Text({
      secret: true,
      description: 'HMAC secret of code-host webhooks. Set, each must be signed; else each needs the bearer token.',
    }),
  ),
  CODEHOST_WEBHOOK_SECRET_PREVIOUS: Type.Optional(
    Text({
      secret: true,
      description: 'Taken beside `CODEHOST_WEBHOOK_SECRET`, while code hosts are moved from one secret to the next.',
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
  CATALOG_SOURCES: StringEnum(['folder', 'kubernetes', 'folder,kubernetes', 'kubernetes,folder'], {
    default: 'folder',
    description:
      'Where templates come from: files in `TEMPLATES_DIR`, ClaimTemplate resources, or both; where both have one of the same name, that of the first.',
  }),
  TEMPLATES_DIR: Text({
    default: 'templates',
    description: 'Folder of ClaimTemplate files; replaces the built-in templates.',
  }),
  MODULES_DIR: Text({
    default: 'templates/modules/oci',
    description: 'OCI image layout whose modules are taken before those of registries.',
  }),
  MODULE_TIMEOUT: Duration({
    minimum: second,
    maximum: 300 * second,
    default: 15 * second,
    description: 'Longest wait of an order for its module.',
  }),
  MODULE_STALE_OK: Duration({
    minimum: 0,
    maximum: 8760 * hour,
    default: 24 * hour,
    description:
      'How long a tag stands for the module that it last stood for, while its registry cannot be asked; 0 for not at all.',
  }),
  MODULE_CACHE_DIR: Type.Optional(
    Text({
      description: 'Folder that keeps modules of registries; made if missing. `modules` in `DATA_DIR` unless set.',
    }),
  ),
  MODULE_CACHE_BYTES: Type.Integer({
    minimum: 1_048_576,
    maximum: 1_099_511_627_776,
    default: 268_435_456,
    description: 'Most bytes kept in `MODULE_CACHE_DIR`; what was not used longest goes first.',
  }),
  MODULE_MIRRORS: Type.Optional(
    Text({
      pattern: `^${host}=${host}(,${host}=${host}){0,31}$`,
      description: 'Mirrors that are asked before a registry: `registry.example=mirror.internal:5000`, with commas.',
    }),
  ),
  MODULE_CREDENTIALS: Type.Optional(
    Text({
      description:
        'Docker config files with credentials of registries, with commas. `config.json` in `DOCKER_CONFIG`, or in `~/.docker`, unless set.',
    }),
  ),
  DOCKER_CONFIG: Type.Optional(Text({ description: 'Folder of the Docker config file.' })),
  MODULE_CA: Type.Optional(
    Text({ description: 'PEM file of authorities whose certificates registries may have, beside the usual ones.' }),
  ),
  MODULE_VERIFY: Type.Optional(
    Text({
      description:
        'PEM file of public keys, as `cosign generate-key-pair` makes them: modules of registries are rendered only if one of them has signed them.',
    }),
  ),
  MODULE_PLAIN_HTTP: Type.Optional(
    Text({
      pattern: `^${host}(,${host}){0,31}$`,
      description: 'Registries and mirrors that are asked by HTTP without TLS, with commas: `localhost:5000`.',
    }),
  ),
  HTTPS_PROXY: Type.Optional(
    Text({ secret: true, pattern: '^https?://', description: 'Proxy for registries by HTTPS.' }),
  ),
  HTTP_PROXY: Type.Optional(
    Text({ secret: true, pattern: '^https?://', description: 'Proxy for registries by HTTP without TLS.' }),
  ),
  NO_PROXY: Type.Optional(
    Text({
      description: 'Hosts, `.domains` and `host:port` that are reached without a proxy, with commas; `*` for all.',
    }),
  ),
  HELM_BIN: Text({
    default: 'helm',
    description: 'Program that renders modules which are Helm charts: a name in `PATH`, or a path.',
  }),
  KCL_BIN: Text({
    default: 'kcl',
    description: 'Program that renders modules which are KCL modules: a name in `PATH`, or a path.',
  }),
  WATCH_NAMESPACES: Type.Optional(
    Text({
      pattern: '^(\\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(,[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){0,99})$',
      description: 'Namespaces whose ClaimTemplate resources are served, with commas; `*` for all. Its own unless set.',
    }),
  ),
  OPERATOR: Type.Boolean({
    default: true,
    description:
      'With ClaimTemplate resources: whether this process takes part in writing their status, which one of all processes does at a time.',
  }),
  KUBECONFIG: Type.Optional(
    Text({
      description: 'Kubeconfig file for ClaimTemplate resources. Without it the pod it runs in, or `~/.kube/config`.',
    }),
  ),
});

/** All settings of one process, checked. Durations are in milliseconds. */
export type Config = Readonly<Static<typeof ConfigSchema>>;
