/** Where ClaimTemplates are in the Kubernetes API. */
export const claimTemplateResource = { group: 'frontdesk.dev', version: 'v1alpha1', plural: 'claimtemplates' } as const;
