import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseAllDocuments } from 'yaml';
import { helmCommand } from '../modules/helm/helm-command.ts';

const found = await helmCommand();

/** Why tests of the chart are skipped, where they are. */
export const skipWithoutHelm = 'missing' in found && found.missing;
export const chart = 'charts/frontdesk';

const Manifest = Type.Object(
  {
    apiVersion: Type.String(),
    kind: Type.String(),
    metadata: Type.Object(
      {
        name: Type.String(),
        namespace: Type.Optional(Type.String()),
        labels: Type.Optional(Type.Record(Type.String(), Type.String())),
        annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      { additionalProperties: true },
    ),
    /** Of ConfigMaps and Secrets. */
    data: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: true },
);
export type Manifest = Static<typeof Manifest>;

export interface HelmResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `helm`, with `values` as a values file where there are any. */
export async function helm(
  args: readonly string[],
  values?: object,
  env: Record<string, string> = {},
): Promise<HelmResult> {
  if ('missing' in found) throw new Error(found.missing);
  const allArgs = values === undefined ? args : [...args, '--values', '-'];
  const child = spawn(found.program, allArgs, {
    // It keeps what it learns of a cluster at home.
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
  });
  child.stdin.end(JSON.stringify(values ?? {}));
  const exit = Promise.withResolvers<number | null>();
  child.on('error', exit.reject).on('close', exit.resolve);
  const [code, stdout, stderr] = await Promise.all([exit.promise, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** The objects of a release with `values`: release `frontdesk` in namespace `desk`. */
export async function render(values: object = {}, release = 'frontdesk'): Promise<Rendered> {
  const { code, stdout, stderr } = await helm(['template', release, chart, '--namespace', 'desk'], values);
  if (code !== 0) throw new Error(stderr);
  return new Rendered(stdout);
}

/** What Helm says of values that it refuses. */
export async function refusal(values: object): Promise<string> {
  const { code, stderr } = await helm(['template', 'frontdesk', chart], values);
  if (code === 0) throw new Error('the values are taken');
  return stderr;
}

/** Objects, as Kubernetes would read them. */
export class Rendered {
  readonly text: string;
  readonly manifests: readonly Manifest[];

  constructor(yaml: string) {
    this.text = yaml;
    this.manifests = parseAllDocuments(yaml)
      .map((document) => {
        const [error] = document.errors;
        if (error) throw error;
        return document.toJS();
      })
      .filter((value) => value !== null)
      .map(asManifest);
  }

  /** `Kind name` of every object, sorted. */
  get names(): string[] {
    return this.manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  }

  find(kind: string, name?: string): Manifest | undefined {
    return this.manifests.find((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
  }

  get(kind: string, name?: string): Manifest {
    const manifest = this.find(kind, name);
    if (manifest === undefined) throw new Error(`no ${kind} ${name ?? ''} in ${this.names.join(', ')}`);
    return manifest;
  }

  /** A part of an object: `at('Deployment', 'spec.template.spec.containers.0.image')`. */
  at(kind: string, path: string, name?: string): unknown {
    return part(this.get(kind, name), path);
  }
}

function asManifest(value: unknown): Manifest {
  Value.Assert(Manifest, value);
  return value;
}

/** A part of a value; nothing where there is none. */
export function part(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    return typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined;
  }, value);
}

/** The only container of a Deployment or StatefulSet, by its path. */
export const container = 'spec.template.spec.containers.0';
