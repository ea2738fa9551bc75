import { type SchemaOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { StringEnum } from '../../src/string-enum.ts';
import { serviceSettings } from './service-settings.ts';

/** What `values.yaml` of the chart may hold. Unknown fields are refused, so that a misspelt one is told. */
const Fields = (properties: TProperties, options: SchemaOptions = {}) =>
  Type.Object(optional(properties), { ...options, additionalProperties: false });

/** Every value has a default. Helm merges them before it checks, but not into the items of lists. */
function optional(properties: TProperties): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));
}

const Text = (options: { pattern?: string; maxLength?: number } = {}) => Type.String({ maxLength: 4096, ...options });
const OneOf = (...values: string[]) => StringEnum(values);
const Count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const Labels = Type.Record(Type.String(), Type.String());
/** A part of a Kubernetes object, which the API server checks. */
const Part = Type.Object({}, { additionalProperties: true });
const Parts = Type.Array(Part);
const PemText = Type.String({ maxLength: 524_288, pattern: '^(-----BEGIN [\\s\\S]*)?$' });
const Port = Count(1, 65_535);
const ObjectName = Text({ pattern: '^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$' });
const SecretKey = Text({ pattern: '^[A-Za-z0-9._-]{1,253}$' });
const Quantity = Text({ pattern: '^[0-9]+(\\.[0-9]+)?([KMGTPE]i?|m|k)?$' });

/** Credentials are visible ASCII: they travel in headers, and in commands of Redis. */
const Credential = Fields({
  value: Text({ pattern: '^[\\x21-\\x7e]*$' }),
  existingSecret: ObjectName,
  key: SecretKey,
});

const Image = Fields({
  registry: Text(),
  repository: Text({ pattern: '^[a-z0-9]+([._/-]+[a-z0-9]+)*$' }),
  tag: Text({ pattern: '^([A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$' }),
  digest: Text({ pattern: '^(sha256:[0-9a-f]{64})?$' }),
  pullPolicy: OneOf('Always', 'IfNotPresent', 'Never'),
});

const Scheduling = {
  podAnnotations: Labels,
  podLabels: Labels,
  nodeSelector: Labels,
  tolerations: Parts,
  affinity: Part,
  priorityClassName: ObjectName,
};

const Namespace = Text({ pattern: '^(\\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)$' });

const Redis = Fields({
  enabled: Type.Boolean(),
  image: Image,
  password: Credential,
  appendfsync: OneOf('everysec', 'always'),
  maxmemory: Text({ pattern: '^[0-9]+([kmg]b?)?$' }),
  extraConfig: Text(),
  persistence: Fields({
    enabled: Type.Boolean(),
    size: Quantity,
    storageClass: ObjectName,
    annotations: Labels,
  }),
  resources: Part,
  podSecurityContext: Part,
  ...Scheduling,
});

const Ingress = Fields({
  enabled: Type.Boolean(),
  className: ObjectName,
  annotations: Labels,
  hosts: Type.Array(
    Type.Object(
      {
        host: Text(),
        paths: Type.Array(
          Type.Object(
            { path: Text(), pathType: OneOf('Prefix', 'Exact', 'ImplementationSpecific') },
            { additionalProperties: false },
          ),
          { minItems: 1 },
        ),
      },
      { additionalProperties: false },
    ),
    { minItems: 1 },
  ),
  tls: Parts,
});

const Monitoring = Fields({
  serviceMonitor: Fields({
    enabled: Type.Boolean(),
    interval: Text({ pattern: '^([0-9]+(ms|s|m|h))+$' }),
    labels: Labels,
    metricRelabelings: Parts,
  }),
  prometheusRule: Fields({ enabled: Type.Boolean(), labels: Labels, disabled: Type.Array(Text()) }),
  dashboard: Fields({ enabled: Type.Boolean(), labels: Labels, annotations: Labels }),
});

/** The JSON schema of the chart's values, which Helm checks them against at install, upgrade, lint and template. */
export function valuesSchema(): TSchema {
  return Fields(
    {
      global: Type.Object(optional({ imageRegistry: Text(), imagePullSecrets: Parts }), {
        description: 'Shared with other charts, which may have fields of their own in it.',
        additionalProperties: true,
      }),
      nameOverride: Text({ maxLength: 50 }),
      fullnameOverride: Text({ maxLength: 50 }),
      commonLabels: Labels,
      commonAnnotations: Labels,
      image: Image,
      replicaCount: Count(0, 1000),
      config: Fields(serviceSettings()),
      auth: Fields({ token: Credential }),
      codehost: Fields({
        signed: Type.Boolean(),
        webhookSecret: Credential,
        previousWebhookSecret: Credential,
      }),
      crds: Fields({ enabled: Type.Boolean(), keep: Type.Boolean(), admissionPolicy: Type.Boolean() }),
      templates: Fields({ builtin: Type.Boolean() }),
      watch: Fields({ namespaces: Type.Array(Namespace, { maxItems: 100 }) }),
      operator: Fields({ enabled: Type.Boolean() }),
      modules: Fields({
        credentialsSecret: ObjectName,
        verifyKeys: PemText,
        cacheSize: Text({ pattern: '^[1-9][0-9]{0,8}[KMG]i$' }),
      }),
      caBundle: Fields({ pem: PemText, configMap: ObjectName, secret: ObjectName, key: SecretKey }),
      redis: Redis,
      externalRedis: Fields({
        url: Text({ pattern: '^(rediss?(\\+(sentinel|cluster))?://[^@\\s]+)?$' }),
        username: Text({ pattern: '^[\\x21-\\x7e]*$' }),
        password: Credential,
        sentinelPassword: Credential,
      }),
      serviceAccount: Fields({ create: Type.Boolean(), name: ObjectName, annotations: Labels }),
      rbac: Fields({ create: Type.Boolean(), aggregate: Type.Boolean() }),
      service: Fields({
        type: OneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
        port: Port,
        nodePort: Type.Union([Port, Type.Null()]),
        annotations: Labels,
      }),
      ingress: Ingress,
      httpRoute: Fields({
        enabled: Type.Boolean(),
        annotations: Labels,
        parentRefs: Type.Array(Part, { minItems: 1 }),
        hostnames: Type.Array(Text()),
        matches: Type.Array(Part, { minItems: 1 }),
      }),
      networkPolicy: Fields({
        enabled: Type.Boolean(),
        ingress: Fields({ from: Parts }),
        egress: Fields({ ports: Type.Array(Port), extra: Parts }),
      }),
      podDisruptionBudget: Fields({
        enabled: Type.Boolean(),
        maxUnavailable: Type.Union([Count(0, 1000), Text({ pattern: '^[0-9]+%$' })]),
      }),
      autoscaling: Fields({
        enabled: Type.Boolean(),
        minReplicas: Count(1, 1000),
        maxReplicas: Count(1, 1000),
        targetCPUUtilizationPercentage: Count(1, 1000),
        behavior: Part,
      }),
      monitoring: Monitoring,
      resources: Part,
      drain: Fields({ seconds: Count(0, 600), timeoutSeconds: Count(1, 3600) }),
      livenessProbe: Part,
      readinessProbe: Part,
      startupProbe: Part,
      updateStrategy: Part,
      podSecurityContext: Part,
      securityContext: Part,
      ...Scheduling,
      topologySpreadConstraints: Parts,
      extraEnv: Parts,
      extraEnvFrom: Parts,
      extraVolumes: Parts,
      extraVolumeMounts: Parts,
      extraObjects: Parts,
    },
    { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Values of the Frontdesk chart' },
  );
}
