// What schemas cannot say of a ClaimTemplate, in CEL, for the API server; src/catalog/check-template.ts says the same for
// the service. A test sends the same broken templates through both.

/** `self` is the spec. */
export const specRules = [
  {
    rule: "self.source.matches('^oci://[^/@]+/[^@]+(@sha256:[a-f0-9]{64})?$')",
    message: 'source must be oci://<registry>/<path>, if need be with :<tag> or @sha256:<digest>',
  },
  {
    rule: "!has(self.tag) || !self.source.matches('/[^/@]*:[^/@]*(@.*)?$') || self.source.split('@')[0].endsWith(':' + self.tag)",
    message: 'tag must not differ from the tag in source',
  },
];

const ofStrings = ['enum', 'pattern', 'minLength', 'maxLength'].map((field) => ({
  rule: `!has(self.${field}) || self.type == 'string'`,
  message: `${field} is for strings only`,
}));

/** `self` is a parameter. */
export const parameterRules = [
  ...ofStrings,
  // Either is true of a pattern that can be read; of one that cannot, both fail.
  {
    rule: "!has(self.pattern) || ''.matches(self.pattern) || !''.matches(self.pattern)",
    message: 'pattern must be an RE2 regular expression',
  },
  { rule: "!has(self.items) || self.type == 'array'", message: 'items is for arrays only' },
  {
    rule: '!has(self.minLength) || !has(self.maxLength) || self.minLength <= self.maxLength',
    message: 'minLength must not be larger than maxLength',
  },
  { rule: '!has(self.allowRandom) || !self.allowRandom || has(self.enum)', message: 'allowRandom needs an enum' },
];

const types = {
  string: '(type(p.default) == string)',
  boolean: '(type(p.default) == bool)',
  integer: '(type(p.default) == int)',
  number: '(type(p.default) == int || type(p.default) == double)',
  array: '(type(p.default) == list)',
  object: '(type(p.default) == map)',
};
const ofType = Object.entries(types).map(([type, is]) => `p.type == '${type}' && !${is}`);
const isText = 'type(p.default) == string';

/** What `p`, a parameter with a default, must not be, and what is said then. */
const wrongDefaults = [
  { wrong: ofType.map((one) => `(${one})`).join(' || '), message: "' must be of type ' + p.type" },
  { wrong: `${isText} && has(p.enum) && !(p.default in p.enum)`, message: "' must be one of ' + p.enum.join(', ')" },
  {
    wrong: `${isText} && has(p.pattern) && !p.default.matches(p.pattern)`,
    message: "' must match the pattern ' + p.pattern",
  },
  {
    wrong: `${isText} && has(p.minLength) && size(p.default) < p.minLength`,
    message: "' must have at least ' + string(p.minLength) + ' characters'",
  },
  {
    wrong: `${isText} && has(p.maxLength) && size(p.default) > p.maxLength`,
    message: "' must have at most ' + string(p.maxLength) + ' characters'",
  },
];

/** Validations of the policy. */
export const defaultRules = [
  ...wrongDefaults.map(({ wrong, message }) => ({
    expression: `!variables.withDefault.exists(p, ${wrong})`,
    messageExpression: `variables.withDefault.filter(p, ${wrong}).map(p, 'the default of ' + p.name + ${message})[0]`,
  })),
  {
    expression:
      '!variables.parameters.exists(p, has(p.required) && p.required && has(p.hidden) && p.hidden && !has(p.default))',
    message: 'a parameter that is required, but hidden, needs a default',
  },
];
