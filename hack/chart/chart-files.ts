import { dashboard } from './dashboard.ts';
import { valuesSchema } from './values-schema.ts';

/** The generated files of the chart, by path. `definition` and `policy` are the manifests of `crds/`. */
export function chartFiles(definition: string, policy: string): Record<string, string> {
  return {
    'charts/frontdesk/values.schema.json': json(valuesSchema()),
    'charts/frontdesk/files/dashboard.json': json(dashboard()),
    'charts/frontdesk/files/claimtemplates.frontdesk.dev.yaml': definition,
    'charts/frontdesk/files/claimtemplates.frontdesk.dev-policy.yaml': policy,
  };
}

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;
