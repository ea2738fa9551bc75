import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { ConfigSchema } from '../../config.ts';
import { firstOf } from '../../modules/first-of.ts';
import { ociLayout } from '../../modules/oci-layout.ts';
import { type ModuleSettings, moduleSettings, openRegistries } from '../../modules/open-registry.ts';
import type { ModuleRegistry } from '../../modules/registry.ts';
import { ConfigError, readVariables } from '../../read-config.ts';
import { reasonOf } from '../../reason-of.ts';
import { Failure } from '../failure.ts';

/** Where the layout of modules stands beside templates, as in the image and the repository. */
const LAYOUT = join('modules', 'oci');

/**
 * The variables by which the service reaches registries, with the same meaning here; only that what is kept of them is in
 * the user's cache.
 * @throws {Failure} naming each variable that is not valid.
 */
export function readModuleSettings(env: NodeJS.ProcessEnv): ModuleSettings {
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'frontdesk', 'modules');
  const variables = { ...env, MODULE_CACHE_DIR: env.MODULE_CACHE_DIR || cache };
  try {
    return readVariables(Type.Pick(ConfigSchema, [...moduleSettings]), variables);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Failure('usage', 'the environment has variables that are not valid', error.problems, { cause: error });
  }
}

/** Registries, and before them the layout that `MODULES_DIR` names, or else that beside the templates in `folder`. */
export function localRegistry(folder: string, settings: ModuleSettings, env: NodeJS.ProcessEnv): ModuleRegistry {
  const registries = openRegistriesBy(settings);
  const layout = env.MODULES_DIR || join(folder, LAYOUT);
  return env.MODULES_DIR || existsSync(layout) ? firstOf(ociLayout(layout), registries) : registries;
}

export function openRegistriesBy(settings: ModuleSettings): ModuleRegistry {
  return openRegistries(settings, Date.now, {
    warn: (about: unknown, text?: string) => console.error(`warning: ${text ?? reasonOf(about)}`),
  });
}
