import type { Command } from 'commander';
import { type ApiFlags, withApiFlags } from '../api/api-flags.ts';
import { Failure } from '../failure.ts';
import type { ClaimDesk } from './claim-desk.ts';

export interface DeskFlags extends ApiFlags {
  local?: string;
}

/** To be called when a command has its own options. */
export function withDeskFlags(command: Command): Command {
  return withApiFlags(command)
    .optionsGroup('Without a service:')
    .option(
      '--local <place>',
      'a folder or file of templates, the folder of a module, or what was published as oci://registry/path:tag',
    );
}

/**
 * The desk that flags and environment name. What it needs is loaded here: a service needs no engines.
 * @throws {Failure} naming the flag or variable that is missing or wrong.
 */
export async function openDesk(flags: DeskFlags): Promise<ClaimDesk> {
  if (flags.local !== undefined) {
    if (flags.api !== undefined) throw new Failure('usage', '--api and --local exclude each other');
    const { openLocalDesk } = await import('./open-local-desk.ts');
    return openLocalDesk(flags.local, process.env);
  }
  if (flags.api === undefined && !process.env.CLAIM_API_URL) {
    throw new Failure(
      'usage',
      'where are the templates? Name a service by --api or CLAIM_API_URL, or files by --local',
    );
  }
  const [{ apiSettings }, { apiClient }, { apiDesk }] = await Promise.all([
    import('../api/api-settings.ts'),
    import('../api/api-client.ts'),
    import('./api-desk.ts'),
  ]);
  return apiDesk(apiClient(await apiSettings(flags, process.env), process.env));
}
