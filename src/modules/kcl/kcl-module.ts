import type { Artifact } from '../artifact.ts';
import type { ChildEngine } from '../children/child-engine.ts';
import { claimText } from '../claim-text.ts';
import { type Json, type Module, ModuleError, type ParameterValues, type Renderer } from '../module.ts';
import { type KubernetesObject, kubernetesObject, readJson, readYaml } from '../read-documents.ts';
import { checkSources } from './check-sources.ts';
import { kclOptions } from './kcl-options.ts';

/** Go's words for a second JSON value, on which `kcl` fails when a module makes a stream of documents. */
const SECOND_DOCUMENT = 'after top-level value';

/**
 * A KCL module, rendered by `kcl run`: parameters are its options, by their names, and read there with `option("name")`.
 * @throws {ModuleError} `invalid` if it is no KCL module, `engine` if there is no `kcl`.
 */
export async function openKclModule({ digest, files }: Artifact, kcl: ChildEngine): Promise<Module> {
  checkSources(files);
  await kcl.locate();
  const flags = ['--no_style', ...([...files.keys()].some((path) => path.startsWith('vendor/')) ? ['--vendor'] : [])];
  const run = (format: 'json' | 'yaml', values: ParameterValues) => {
    const options = kclOptions(values).flatMap((option) => ['-D', option]);
    return kcl.run({ digest, files, args: (folder) => ['run', folder, ...flags, '--format', format, ...options] });
  };
  // JSON is exact; KCL's YAML loses line ends at its very end. A module that makes a stream has no other way, as its
  // first order tells.
  let isStream = false;
  const renderer: Renderer = {
    async render(values) {
      if (!isStream) {
        try {
          return claimText(objectsIn(readJson(await run('json', values), kcl.name), kcl.name));
        } catch (error) {
          if (!(error instanceof ModuleError && error.message.includes(SECOND_DOCUMENT))) throw error;
          isStream = true;
        }
      }
      return claimText(objectsIn(readYaml(await run('yaml', values), kcl.name), kcl.name));
    },
  };
  return { digest, bind: () => renderer };
}

/** Documents are objects; so are the elements of `items`, where a module makes several in that way. */
function objectsIn(documents: readonly Json[], engine: string): KubernetesObject[] {
  return documents.flatMap((value, index) => {
    if (value === null) return [];
    const name = `${engine}: document ${index + 1}`;
    const items = itemsOf(value);
    if (items === undefined) return [kubernetesObject(value, name)];
    return items.map((item, at) => kubernetesObject(item, `${name}, items[${at}]`));
  });
}

/** https://www.kcl-lang.io/docs/user_docs/guides/working-with-k8s/mutate-manifests/kcl-spec: results are `items`. */
function itemsOf(value: Json): Json[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return !Object.hasOwn(value, 'kind') && Array.isArray(value.items) ? value.items : undefined;
}
