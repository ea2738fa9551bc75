import { randomInt } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Catalog, type CatalogSnapshot } from '../../catalog/catalog.ts';
import { problemText } from '../../catalog/check-template.ts';
import { MODULE_FILE } from '../../modules/cel/module-file.ts';
import { createModules } from '../../modules/modules.ts';
import { Desk } from '../../orders/desk.ts';
import { artifactDesk, enginesBy } from '../artifact-desk.ts';
import { Failure } from '../failure.ts';
import { openAuthorFolder } from '../module/author-folder.ts';
import { printable } from '../output/printable.ts';
import type { ClaimDesk } from './claim-desk.ts';
import { localDesk } from './local-desk.ts';
import { localRegistry, openRegistriesBy, readModuleSettings } from './local-registry.ts';
import { readTemplates } from './local-templates.ts';
import { publishedModule } from './published-module.ts';

/** What makes a folder that of a module rather than one of templates. */
const moduleFiles = [MODULE_FILE, 'Chart.yaml', 'kcl.mod'];

/**
 * Templates at `place`, and the modules that render them: those of a folder or a file, that of a module's folder, or that
 * which was published with its module.
 * @throws {Failure} if there are none, or none that is valid.
 */
export async function openLocalDesk(place: string, env: NodeJS.ProcessEnv): Promise<ClaimDesk> {
  if (place.startsWith('oci://')) return publishedDesk(place, env);
  if (moduleFiles.some((file) => existsSync(join(place, file)))) return moduleDesk(place);
  return templatesDesk(place, env);
}

async function templatesDesk(place: string, env: NodeJS.ProcessEnv): Promise<ClaimDesk> {
  const catalog = catalogOf(place, await readTemplates(place));
  const settings = readModuleSettings(env);
  const engines = enginesBy(env);
  const folder = isFolder(place) ? place : join(place, '..');
  const modules = createModules({
    registry: localRegistry(folder, settings, env),
    engines,
    timeoutMs: settings.MODULE_TIMEOUT,
  });
  return localDesk(catalog, new Desk(modules, randomInt), () => engines.close());
}

async function moduleDesk(folder: string): Promise<ClaimDesk> {
  const opened = await openAuthorFolder(folder);
  const { template, desk } = opened;
  return localDesk(catalogOf(folder, { templates: [{ template, origin: folder }], rejected: [] }), desk, async () =>
    opened[Symbol.asyncDispose](),
  );
}

async function publishedDesk(source: string, env: NodeJS.ProcessEnv): Promise<ClaimDesk> {
  const settings = readModuleSettings(env);
  const { artifact, templates } = await publishedModule(source, openRegistriesBy(settings), settings.MODULE_TIMEOUT);
  const catalog = catalogOf(source, templates);
  const { desk, close } = await artifactDesk(artifact, env);
  return localDesk(catalog, desk, close);
}

/** A broken template disturbs no other; it is told of, on standard error. */
function catalogOf(place: string, snapshot: CatalogSnapshot): Catalog {
  const catalog = new Catalog();
  catalog.replace(snapshot);
  const lines = catalog.rejected.flatMap(({ origin, problems }) =>
    problems.map((problem) => `${origin}: ${problemText(problem)}`),
  );
  if (catalog.size === 0) {
    throw new Failure(lines.length > 0 ? 'validation' : 'failure', `${place} has no valid template`, lines);
  }
  for (const line of lines) console.error(`warning: ${printable(line)}`);
  return catalog;
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
