import { randomInt } from 'node:crypto';
import type { Artifact } from '../modules/artifact.ts';
import { createEngines } from '../modules/engines.ts';
import { Desk } from '../orders/desk.ts';

/** The engines of this process, with the programs that the environment names for it, as for the service. */
export function enginesBy({ HELM_BIN, KCL_BIN }: NodeJS.ProcessEnv) {
  return createEngines({ helm: HELM_BIN || 'helm', kcl: KCL_BIN || 'kcl' });
}

/**
 * A desk that renders every order by one module, whatever a template names as its source.
 * @throws {ModuleError} if something is wrong with the module.
 */
export async function artifactDesk(
  artifact: Artifact,
  env: NodeJS.ProcessEnv,
): Promise<{ desk: Desk; close: () => Promise<void> }> {
  const engines = enginesBy(env);
  const module = await engines.open(artifact);
  return { desk: new Desk({ resolve: async () => module }, randomInt), close: () => engines.close() };
}
