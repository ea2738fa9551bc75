import { container, part, type Rendered } from './rendered.ts';

/** Where each environment variable of the pods that is a credential comes from: `secret/key`. */
export function credentialSources(release: Rendered): Record<string, string> {
  const env = release.at('Deployment', `${container}.env`);
  if (!Array.isArray(env)) throw new Error('no environment');
  return Object.fromEntries(
    env.map((variable) => {
      const from = part(variable, 'valueFrom.secretKeyRef');
      return [String(part(variable, 'name')), `${part(from, 'name')}/${part(from, 'key')}`];
    }),
  );
}
