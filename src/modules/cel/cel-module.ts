import type { Parameter } from '../../catalog/claim-template.ts';
import type { Artifact } from '../artifact.ts';
import { claimText } from '../claim-text.ts';
import { type Json, type Module, ModuleError, type ParameterValues, type Renderer } from '../module.ts';
import { createCompiler } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { checkFit } from './fit.ts';
import { MODULE_FILE, parseModuleFile } from './module-file.ts';
import { compileResource, type Resource, renderResource } from './resource.ts';
import type { Compilation } from './template.ts';
import { type Bindings, bindingsOf } from './values.ts';
import { Work } from './work.ts';

/**
 * Compiles a module whose `module.yaml` is Kubernetes YAML with `${…}` CEL expressions.
 * @throws {ModuleError} `invalid`, naming line, column, resource, path and expression.
 */
export function compileCelModule({ digest, files }: Artifact): Module {
  const file = files.get(MODULE_FILE);
  if (file === undefined) throw new ModuleError('invalid', `the module has no ${MODULE_FILE}`);
  const { content, positionOf } = parseModuleFile(file);
  const work = new Work();
  const compilation: Compilation = {
    compile: createCompiler(work),
    expressions: [],
    positionOf: ({ resource, path }, part) => {
      const index = content.spec.resources.findIndex(({ id }) => id === resource);
      return positionOf(['spec', 'resources', index, ...path], part);
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
      return claimText(render(resources, checkedBindings(parameters, values)));
    },
  };
}

function* render(resources: readonly Resource[], bindings: Bindings): Generator<Json> {
  for (const resource of resources) {
    const document = renderResource(resource, bindings);
    if (document !== undefined) yield document;
  }
}

function checkedBindings(parameters: readonly Parameter[], values: ParameterValues): Bindings {
  try {
    return bindingsOf(values, parameters);
  } catch (error) {
    if (error instanceof ExpressionError) throw new ModuleError('render', error.message, { cause: error });
    throw error;
  }
}
