import { join } from 'node:path';
import type { Artifact } from '../artifact.ts';
import type { ChildEngine } from '../children/child-engine.ts';
import { claimText } from '../claim-text.ts';
import { type Json, type Module, ModuleError, type ParameterValues } from '../module.ts';
import { type KubernetesObject, kubernetesObject, readYaml } from '../read-documents.ts';
import { yamlText } from '../yaml-text.ts';
import { type Chart, findChart } from './chart.ts';
import { isRisky, maskedValues } from './masked.ts';
import { hasSameStructure } from './same-structure.ts';

/** Longest values of one order, in UTF-16 code units. */
export const MAX_VALUES_LENGTH = 2_097_152;

const namespaceForm = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * A Helm chart, rendered by `helm template` without a cluster: parameters are its values, by their names.
 * @throws {ModuleError} `invalid` if it is no chart, `engine` if there is no `helm`.
 */
export async function openHelmModule({ digest, files }: Artifact, helm: ChildEngine): Promise<Module> {
  const chart = findChart(files);
  await helm.locate();
  const render: Render = async (values) => {
    const args = (folder: string) => helmArguments(chart, folder, values);
    return objectsIn(readYaml(await helm.run({ digest, files, args, input: valuesText(values) }), helm.name));
  };
  return {
    digest,
    bind: () => ({
      async render(values) {
        const risky = chart.quotesValues ? [] : Object.keys(values).filter((name) => isRisky(values[name] ?? null));
        return claimText(risky.length === 0 ? await render(values) : await checked(values, risky, render));
      },
    }),
  };
}

type Render = (values: ParameterValues) => Promise<KubernetesObject[]>;

/**
 * Renders values that become structure where a chart pastes them without quotes, and refuses what comes of that. Text
 * templates cannot be kept from pasting; but harmless values in the place of these tell what the structure has to be.
 */
async function checked(values: ParameterValues, risky: readonly string[], render: Render): Promise<KubernetesObject[]> {
  const [actual, one, other] = await settled([
    render(values),
    render(maskedValues(values, 'x')),
    render(maskedValues(values, 'y')),
  ]);
  if (hasSameStructure(actual, one, other)) return actual;
  const names = risky.join(', ');
  throw new ModuleError(
    'render',
    `helm: the chart takes a value for more than a value, for it does not quote it: ${names}`,
  );
}

/** Like `Promise.all`, but an order that fails leaves nothing at work behind. */
async function settled<T extends readonly Promise<unknown>[]>(work: readonly [...T]) {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** The name of the release is that of the chart: same order, same claim. */
function helmArguments({ name, folder: chartFolder }: Chart, folder: string, { namespace }: ParameterValues): string[] {
  const isNamespace = typeof namespace === 'string' && namespaceForm.test(namespace);
  return [
    'template',
    name,
    join(folder, chartFolder),
    '--values=-',
    '--skip-tests',
    // A schema can refer to files and addresses, which helm would read; the parameters are checked by the template's own.
    '--skip-schema-validation',
    ...(isNamespace ? [`--namespace=${namespace}`] : []),
  ];
}

/** On standard input: what stands in arguments could be read by other processes, and has its own syntax. */
function valuesText(values: ParameterValues): string {
  try {
    return yamlText(values, MAX_VALUES_LENGTH);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ModuleError('render', `the parameters have more than ${MAX_VALUES_LENGTH} characters`, { cause: error });
  }
}

/** In helm's order; a template that makes nothing leaves an empty document. */
function objectsIn(documents: readonly Json[]): KubernetesObject[] {
  return documents
    .filter((value) => value !== null)
    .map((value, index) => kubernetesObject(value, `helm: document ${index + 1}`));
}
