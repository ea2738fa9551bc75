import { test } from 'tap';
import { type Parameter, parameterTypes } from '../../src/catalog/claim-template.ts';
import { compileParameter } from '../../src/catalog/parameter-check.ts';
import { parseTemplate } from '../../src/catalog/parse-template.ts';
import { resolveValues } from '../../src/orders/resolve-values.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { documentedParameters, documentedTemplate } from './documented-templates.ts';

test('the template of the documentation is accepted', (t) => {
  t.match(parseTemplate(documentedTemplate), { template: { metadata: { name: 'cache' } } });
  t.end();
});

for (const { title, parameter, values } of documentedParameters) {
  test(`the documented parameter "${title}" takes and refuses what is said of it`, (t) => {
    const parsed = parseTemplate(someTemplate({ parameters: [parameter] }));
    t.match(parsed, { template: {} });
    t.ok(values.length > 0);
    for (const { json, says } of values) t.equal(saidOf(parameter, JSON.parse(json)), says, json);
    t.end();
  });
}

test('each type of a parameter is documented', (t) => {
  t.same(new Set(documentedParameters.map(({ parameter }) => parameter.type)), new Set(parameterTypes));
  t.end();
});

/** What the documentation is to say of a value. */
function saidOf(parameter: Parameter, value: string): string {
  const { name } = parameter;
  const checked = [{ parameter, check: compileParameter(parameter) }];
  const { values, invalid } = resolveValues(checked, { [name]: value }, () => 0);
  if (invalid[0] !== undefined) return invalid[0].reason;
  return parameter.hidden ? `taken: it is \`${JSON.stringify(values[name])}\`` : 'taken';
}
