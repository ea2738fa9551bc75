import { createRequire } from 'node:module';

/** Payloads that GitHub sent, by event type. https://github.com/octokit/webhooks/tree/main/payload-examples */
export const githubExamples: { name: string; examples: Record<string, unknown>[] }[] = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
);
