/** A ClaimTemplate manifest with little in it, as YAML. */
export function templateYaml(
  name: string,
  more: { title?: string; tags?: string[]; source?: string; tag?: string; parameters?: object[] } = {},
): string {
  const { parameters = [], ...words } = more;
  return JSON.stringify({
    apiVersion: 'frontdesk.dev/v1alpha1',
    kind: 'ClaimTemplate',
    metadata: { name },
    spec: {
      type: name,
      source: 'oci://registry.frontdesk.dev/modules/volumeclaim',
      tag: '0.1.0',
      ...words,
      parameters,
    },
  });
}
