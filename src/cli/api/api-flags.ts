import type { Command } from 'commander';

/** Where the service is, and how it is spoken to. */
export interface ApiFlags {
  api?: string;
  tokenFile?: string;
  caFile?: string;
  timeout: string;
}

/** To be called when a command has its own options: those that follow would go under the same heading. */
export function withApiFlags(command: Command): Command {
  return command
    .optionsGroup('Options for the service:')
    .option('--api <url>', 'address of the service (default: CLAIM_API_URL)')
    .option('--token-file <file>', 'file with the bearer token (default: the token in FRONTDESK_TOKEN)')
    .option('--ca-file <pem>', 'certificates to trust beside those of the system')
    .option('--timeout <duration>', 'longest wait for an answer, further tries included', '30s');
}
