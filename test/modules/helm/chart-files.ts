import type { Files } from '../../../src/modules/unpack.ts';

/** A chart of these templates. */
export function chartFiles(templates: Record<string, string>, chart: object = {}): Files {
  const about = { apiVersion: 'v2', name: 'demo', version: '1.0.0', ...chart };
  return new Map([
    ['demo/Chart.yaml', Buffer.from(JSON.stringify(about))],
    ...Object.entries(templates).map(([name, text]): [string, Buffer] => [`demo/templates/${name}`, Buffer.from(text)]),
  ]);
}

/** A template of one object with these lines. */
export function configMap(lines: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo}\n${lines}\n`;
}
