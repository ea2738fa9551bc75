import type { Command } from 'commander';

export interface RegistryFlags {
  plainHttp: boolean;
  caFile?: string;
}

export function withRegistryFlags(command: Command): Command {
  return command
    .option('--plain-http', 'the registry speaks HTTP without TLS', false)
    .option('--ca-file <pem>', 'certificates to trust beside those of the system');
}
