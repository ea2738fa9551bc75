import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Fills the folder `dir` with `count` ClaimTemplates, a file each. */
export function writeTemplates(dir: string, count: number): void {
  mkdirSync(dir, { recursive: true });
  for (let i = 0; i < count; i++) {
    const name = `service-${String(i).padStart(4, '0')}`;
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(template(name)));
  }
}

function template(name: string): object {
  return {
    apiVersion: 'frontdesk.dev/v1alpha1',
    kind: 'ClaimTemplate',
    metadata: { name, labels: { team: 'platform', tier: 'standard' } },
    spec: {
      title: `Service ${name}`,
      description: 'A service of the catalog, with a description as long as descriptions commonly are.',
      tags: ['service', 'bench', name],
      type: 'service',
      source: `oci://registry.example/modules/${name}`,
      tag: '1.0.0',
      parameters: [
        { name: 'namespace', title: 'Namespace', type: 'string', required: true, default: 'default', maxLength: 63 },
        { name: 'size', title: 'Size', type: 'string', enum: ['small', 'medium', 'large'], default: 'small' },
        { name: 'replicas', title: 'Replicas', type: 'integer', default: 1 },
      ],
    },
  };
}
