import { stringify } from 'yaml';
import type { Parameter } from '../../../src/catalog/claim-template.ts';
import { compileCelModule } from '../../../src/modules/cel/cel-module.ts';
import { digestOf } from '../../../src/modules/digest.ts';
import type { ParameterValues } from '../../../src/modules/module.ts';

/** Compiles `module.yaml` with this text. */
export function compileText(text: string) {
  const bytes = Buffer.from(text);
  return compileCelModule({ digest: digestOf(bytes), engine: 'cel', files: new Map([['module.yaml', bytes]]) });
}

/** Compiles a module with these resources. */
export function compileResources(resources: object[]) {
  const module = {
    apiVersion: 'frontdesk.dev/v1alpha1',
    kind: 'Module',
    metadata: { name: 'demo' },
    spec: { resources },
  };
  return compileText(stringify(module, { aliasDuplicateObjects: false }));
}

/** A resource whose `data` is given; ids count up by position. */
export function resource(data: unknown, more: { id?: string; includeWhen?: string[] } = {}) {
  return { id: 'config', ...more, template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data } };
}

/** What a module with this `data` renders to, as text. */
export function render(data: unknown, parameters: Parameter[], values: ParameterValues): Promise<string> {
  return compileResources([resource(data)])
    .bind(parameters)
    .render(values);
}
