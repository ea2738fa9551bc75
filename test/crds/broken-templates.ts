/** A template that nothing is wrong with, but for what `spec` changes. */
export function someTemplate(spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: 'frontdesk.dev/v1alpha1',
    kind: 'ClaimTemplate',
    metadata: { name: 'some', ...metadata },
    spec: { type: 'some', source: 'oci://registry.example/some', ...spec },
  };
}

interface BrokenTemplate {
  what: string;
  change: object;
  /** What a person is told. */
  says: RegExp;
}

const parameter = (fields: object) => ({ parameters: [{ name: 'a', type: 'string', ...fields }] });

/** One for each rule that ties a template's fields together, or bounds them. */
export const brokenTemplates: BrokenTemplate[] = [
  { what: 'a template without a source', change: { source: undefined }, says: /spec\.source: Required value/ },
  { what: 'a source that is no OCI reference', change: { source: 'https://x.org/y' }, says: /must be oci:\/\// },
  { what: 'a source without a path', change: { source: 'oci://registry.example' }, says: /must be oci:\/\// },
  { what: 'a source with half a digest', change: { source: 'oci://x.org/y@sha256:12' }, says: /must be oci:\/\// },
  { what: 'a tag beside another one', change: { source: 'oci://x.org/y:1', tag: '2' }, says: /tag must not differ/ },
  {
    what: 'a parameter name taken twice',
    change: { parameters: [1, 2].map(() => ({ name: 'a', type: 'string' })) },
    says: /spec\.parameters\[1\]: Duplicate value/,
  },
  { what: 'a parameter name with a hyphen', change: parameter({ name: 'a-b' }), says: /parameters\[0\]\.name/ },
  { what: 'an unknown type', change: parameter({ type: 'date' }), says: /Unsupported value: "date"/ },
  { what: 'an enum of integers', change: parameter({ type: 'integer', enum: ['1'] }), says: /enum is for strings/ },
  { what: 'a pattern for a boolean', change: parameter({ type: 'boolean', pattern: 'x' }), says: /pattern is for/ },
  { what: 'a length of an array', change: parameter({ type: 'array', minLength: 1 }), says: /minLength is for/ },
  { what: 'a length of an object', change: parameter({ type: 'object', maxLength: 1 }), says: /maxLength is for/ },
  { what: 'items of a string', change: parameter({ items: { type: 'string' } }), says: /items is for arrays only/ },
  {
    what: 'a shortest length above the longest',
    change: parameter({ minLength: 3, maxLength: 2 }),
    says: /parameters\[0\].*minLength must not be larger than maxLength/,
  },
  { what: 'a pattern that is none', change: parameter({ pattern: '(' }), says: /missing closing/ },
  { what: 'a pattern that RE2 does not have', change: parameter({ pattern: '(?=a)' }), says: /invalid.*Perl syntax/ },
  { what: 'random choice of nothing', change: parameter({ allowRandom: true }), says: /allowRandom needs an enum/ },
  { what: 'a default of another type', change: parameter({ default: 5 }), says: /default of a must be of type string/ },
  {
    what: 'an integer with a fraction as default',
    change: parameter({ type: 'integer', default: 1.5 }),
    says: /default of a must be of type integer/,
  },
  {
    what: 'text as the default of a number',
    change: parameter({ type: 'number', default: '1' }),
    says: /must be of type number/,
  },
  {
    what: 'text as the default of a boolean',
    change: parameter({ type: 'boolean', default: 'yes' }),
    says: /must be of type boolean/,
  },
  {
    what: 'text as the default of an array',
    change: parameter({ type: 'array', default: 'a' }),
    says: /must be of type array/,
  },
  {
    what: 'an array as the default of an object',
    change: parameter({ type: 'object', default: [] }),
    says: /must be of type object/,
  },
  {
    what: 'a default outside its enum',
    change: parameter({ enum: ['x', 'y'], default: 'z' }),
    says: /default of a must be one of x, y/,
  },
  {
    what: 'a default that does not match its pattern',
    change: parameter({ pattern: '^[0-9]+$', default: 'a' }),
    says: /default of a must match the pattern \^\[0-9\]\+\$/,
  },
  { what: 'a default that is too short', change: parameter({ minLength: 2, default: 'a' }), says: /at least 2/ },
  { what: 'a default that is too long', change: parameter({ maxLength: 2, default: 'abc' }), says: /at most 2/ },
  {
    what: 'a hidden required parameter without default',
    change: parameter({ required: true, hidden: true }),
    says: /needs a default/,
  },
  { what: 'an empty enum', change: parameter({ enum: [] }), says: /should have at least 1 items/ },
  {
    what: 'more parameters than there may be',
    change: { parameters: Array.from({ length: 257 }, (_, i) => ({ name: `p${i}`, type: 'string' })) },
    says: /must have at most 256 items/,
  },
];
