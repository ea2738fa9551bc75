/** A template named `name`, whose module is at `source` and takes one parameter. */
export const templateFor = (name: string, source: string) => `
apiVersion: frontdesk.dev/v1alpha1
kind: ClaimTemplate
metadata: {name: ${name}}
spec:
  title: ${name}
  type: test
  source: ${source}
  tag: "1.0"
  parameters:
    - {name: name, title: Name, type: string, required: true}
`;

/** Orders a claim of such a template. */
export async function order(url: string, template: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/v1/claim-templates/${template}/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ parameters: { name: 'hello' } }),
  });
  return { status: response.status, body: await response.json() };
}
