/** The one registry that has several names: what references say, where it answers, and where credentials are kept. */
export const DOCKER_HUB = {
  registry: 'docker.io',
  host: 'registry-1.docker.io',
  credentials: 'index.docker.io',
} as const;
