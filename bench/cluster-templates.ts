import { readFileSync } from 'node:fs';
import { CustomObjectsApi, type KubeConfig, PatchStrategy } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { apiVersion, type ClaimTemplate } from '../src/catalog/claim-template.ts';
import { claimTemplateResource } from '../src/catalog/claim-template-resource.ts';
import { parseTemplate } from '../src/catalog/parse-template.ts';
import { apiCall } from '../src/kubernetes/api-call.ts';
import { Connections } from '../src/kubernetes/connections.ts';

/** Calls to the API server that are under way at once. */
const CONCURRENCY = 8;
const CALL_MS = 30_000;

const namespace = 'default';

/** Creates and changes ClaimTemplates in the namespace `default`, many at a time. */
export class ClusterTemplates {
  readonly #api: CustomObjectsApi;
  readonly #connections = new Connections();
  readonly #spec = builtIn('templates/volumeclaim.yaml').spec;

  constructor(config: KubeConfig) {
    this.#api = config.makeApiClient(CustomObjectsApi);
  }

  /** Templates like the built-in `volumeclaim`, named by `nameOf`. */
  async create(count: number): Promise<void> {
    await this.#each(count, async (i) => {
      const name = nameOf(i);
      const spec = { ...this.#spec, title: `Volume ${name}` };
      const body = { apiVersion, kind: 'ClaimTemplate', metadata: { name }, spec };
      await this.#api.createNamespacedCustomObject({ ...claimTemplateResource, namespace, body }, this.#call());
    });
  }

  /** Gives the first `count` templates a title, and tells of each when the API server has it. */
  async retitleFirst(count: number, title: string, onDone: (name: string) => void = () => undefined): Promise<void> {
    await this.#each(count, async (i) => {
      await this.retitle(nameOf(i), title);
      onDone(nameOf(i));
    });
  }

  async retitle(name: string, title: string): Promise<void> {
    const patch = { ...claimTemplateResource, namespace, name, body: { spec: { title } } };
    await this.#api.patchNamespacedCustomObject(patch, this.#call(PatchStrategy.MergePatch));
  }

  close(): void {
    this.#connections.close();
  }

  #call(contentType?: string) {
    const connections = this.#connections;
    return apiCall({ limitMs: CALL_MS, connections, ...(contentType !== undefined && { contentType }) });
  }

  async #each(count: number, work: (i: number) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async () => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }
}

export function nameOf(i: number): string {
  return `volume-${String(i).padStart(4, '0')}`;
}

function builtIn(file: string): ClaimTemplate {
  const parsed = parseTemplate(parse(readFileSync(file, 'utf8')));
  if ('problems' in parsed) throw new Error(`${file} is no template`);
  return parsed.template;
}
