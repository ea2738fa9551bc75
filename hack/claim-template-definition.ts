import { ClaimTemplateManifest } from '../src/catalog/claim-template.ts';
import { claimTemplateResource } from '../src/catalog/claim-template-resource.ts';
import { ClaimTemplateStatus } from '../src/catalog/claim-template-status.ts';
import { defaultRules, parameterRules, specRules } from './claim-template-rules.ts';
import { fieldsOf, keepUnknown, type StructuralSchema, structuralSchema } from './structural-schema.ts';

const { group, version, plural } = claimTemplateResource;
const fullName = `${plural}.${group}`;

const columns = [
  { name: 'Type', type: 'string', jsonPath: '.spec.type' },
  { name: 'Source', type: 'string', jsonPath: '.spec.source' },
  { name: 'Tag', type: 'string', jsonPath: '.spec.tag' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Digest', type: 'string', jsonPath: '.status.module.digest', priority: 1 },
];

/** The CustomResourceDefinition of ClaimTemplate, made of the schemas that the service itself uses. */
export function claimTemplateDefinition(): object {
  const { metadata, spec } = ClaimTemplateManifest.properties;
  const openAPIV3Schema = {
    type: 'object',
    description: 'A template of the claims that the front desk hands out.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name: structuralSchema(metadata.properties.name) } },
      spec: withRules(structuralSchema(spec)),
      status: structuralSchema(ClaimTemplateStatus),
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: fullName },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind: 'ClaimTemplate',
        listKind: 'ClaimTemplateList',
        plural,
        singular: 'claimtemplate',
        shortNames: ['ct'],
        categories: ['frontdesk'],
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema },
        },
      ],
    },
  };
}

function withRules(spec: StructuralSchema): StructuralSchema {
  const { parameters, ...fields } = fieldsOf(spec);
  return {
    ...spec,
    // Fields of others are kept, and `kubectl apply` does not refuse them.
    ...keepUnknown,
    'x-kubernetes-validations': specRules,
    properties: {
      ...fields,
      parameters: {
        ...parameters,
        // Names are unique, and each parameter can have an applier of its own.
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { ...parameters?.items, 'x-kubernetes-validations': parameterRules },
      },
    },
  };
}

/**
 * What a definition cannot check, since rules in it do not see a field of any type: that a parameter's default fits it.
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function claimTemplatePolicy(): object[] {
  const metadata = { name: fullName };
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            { apiGroups: [group], apiVersions: [version], resources: [plural], operations: ['CREATE', 'UPDATE'] },
          ],
        },
        variables: [
          { name: 'parameters', expression: 'has(object.spec.parameters) ? object.spec.parameters : []' },
          {
            name: 'withDefault',
            expression: 'variables.parameters.filter(p, has(p.default) && p.default != null)',
          },
        ],
        validations: defaultRules,
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: fullName, validationActions: ['Deny'] },
    },
  ];
}
