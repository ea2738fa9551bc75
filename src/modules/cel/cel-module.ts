import type { Parameter } from '../../catalog/claim-template.ts';
import type { Artifact } from '../artifact.ts';
import { type Module, ModuleError, type ParameterValues, type Renderer } from '../module.ts';
import { yamlText } from '../yaml-text.ts';
import { createCompiler } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { checkFit } from './fit.ts';
import { MODULE_FILE, parseModuleFile } from './module-file.ts';
import { compileResource, type Resource, renderResource } from './resource.ts';
import type { Compilation } from './template.ts';
import { bindingsOf } from './values.ts';
import { Work } from './work.ts';

/** Largest rendered claim, in bytes. Kubernetes keeps no object beyond etcd's 1.5 MiB. */
export const MAX_RENDERED_BYTES = 1_048_576;
const SEPARATOR = '---\n';

/**
 * Compiles a module whose `module.yaml` is Kubernetes YAML with `${…}` CEL expressions.
 * @throws {ModuleError} `invalid`, naming line, resource, path and expression.
 */
export function compileCelModule({ digest, files }: Artifact): Module {
  const file = files.get(MODULE_FILE);
  if (file === undefined) throw new ModuleError('invalid', `the module has no ${MODULE_FILE}`);
  const { content, lineOf } = parseModuleFile(file);
  const work = new Work();
  const compilation: Compilation = {
    compile: createCompiler(work),
    expressions: [],
    lineOf: ({ resource, path }) => {
      const index = content.spec.resources.findIndex(({ id }) => id === resource);
      return lineOf(['spec', 'resources', index, ...path]);
    },
  };
  const resources = content.spec.resources.map((resource) => compileResource(resource, compilation));
  return { digest, bind: (parameters) => bind(resources, parameters, work) };
}

function bind(resources: readonly Resource[], parameters: readonly Parameter[], work: Work): Renderer {
  work.restart();
  checkFit(resources, parameters);
  return {
    async render(values) {
      work.restart();
      return render(resources, parameters, values);
    },
  };
}

function render(resources: readonly Resource[], parameters: readonly Parameter[], values: ParameterValues): string {
  const bindings = checkedBindings(parameters, values);
  const documents: string[] = [];
  let left = MAX_RENDERED_BYTES;
  for (const resource of resources) {
    const document = renderResource(resource, bindings);
    if (document === undefined) continue;
    const text = documentText(document, left);
    left -= Buffer.byteLength(text) + SEPARATOR.length;
    if (left < 0) throw tooLarge();
    documents.push(text);
  }
  return documents.join(SEPARATOR);
}

function checkedBindings(parameters: readonly Parameter[], values: ParameterValues) {
  try {
    return bindingsOf(values, parameters);
  } catch (error) {
    if (error instanceof ExpressionError) throw new ModuleError('render', error.message, { cause: error });
    throw error;
  }
}

function documentText(document: Parameters<typeof yamlText>[0], left: number): string {
  try {
    return yamlText(document, left);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(error);
    throw error;
  }
}

function tooLarge(cause?: unknown): ModuleError {
  return new ModuleError('render', `the rendered claim has more than ${MAX_RENDERED_BYTES} bytes`, { cause });
}
