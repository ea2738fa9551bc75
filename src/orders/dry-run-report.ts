import type { ClaimTemplate } from '../catalog/claim-template.ts';
import type { ParameterValues } from '../modules/module.ts';

/** What a dry run says instead of a claim; specification "Order response". */
export function dryRunReport({ metadata, spec }: ClaimTemplate, values: ParameterValues): string {
  const required = spec.parameters.filter((parameter) => parameter.required);
  return [
    `Dry run of ${metadata.name}`,
    `Parameters validated: ${Object.keys(values).length} of ${spec.parameters.length} have a value`,
    `Requirements met: ${required.length} of ${required.length} required parameters`,
    `Ready to render with ${spec.source}${spec.tag === undefined ? '' : `:${spec.tag}`}`,
    '',
  ].join('\n');
}
