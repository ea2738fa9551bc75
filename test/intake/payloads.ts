import { readFileSync } from 'node:fs';

/** A webhook payload as its sender documents it, from `test/intake/payloads/`. */
export function payload(name: 'alertmanager' | 'grafana' | 'gitea-push') {
  return JSON.parse(readFileSync(new URL(`payloads/${name}.json`, import.meta.url), 'utf8'));
}
