/** What a module of that name begins with: a config map of text, which its author makes into what it should be. */
export function firstFiles(name: string): { module: string; template: string; tests: string } {
  return {
    module: `apiVersion: frontdesk.dev/v1alpha1
kind: Module
metadata:
  name: ${name}
  version: 0.1.0
spec:
  resources:
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${parameters.name}
          labels:
            app.kubernetes.io/managed-by: frontdesk
        data:
          greeting: Hello, \${parameters.name}!
`,
    template: `apiVersion: frontdesk.dev/v1alpha1
kind: ClaimTemplate
metadata:
  name: ${name}
spec:
  title: ${name}
  type: ${name}
  source: oci://registry.example.org/modules/${name}
  tag: 0.1.0
  parameters:
    - name: name
      title: Name
      type: string
      required: true
      pattern: ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$
      maxLength: 63
`,
    tests: `cases:
  - name: the least that is needed
    parameters:
      name: world
    expect:
      - apiVersion: v1
        kind: ConfigMap
        metadata:
          name: world
          labels:
            app.kubernetes.io/managed-by: frontdesk
        data:
          greeting: Hello, world!
  - name: a name is needed
    error: parameter name is required
`,
  };
}
