import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { startApp } from '../../app.ts';
import { templateYaml } from '../../catalog/templates.ts';
import { kclModule, layout } from '../layout.ts';
import { volumeClaim } from '../three-engines.ts';
import { kclCommand } from './kcl-command.ts';

const found = await kclCommand();
const skip = 'missing' in found && found.missing;

const names = ['templateName', 'namespace', 'storage', 'storageClassName'];
const parameters = names.map((name) => ({ name, type: 'string', required: true }));
const templates = {
  'kcl.yaml': templateYaml('kcl', { source: 'oci://registry.test/modules/kcl', tag: '0.1.0', parameters }),
};
const order = {
  method: 'POST',
  url: '/api/v1/claim-templates/kcl/order',
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify({ parameters: Object.fromEntries(names.map((name) => [name, name])) }),
} as const;

for (const isInstalled of [true, false]) {
  test(`a KCL module is ordered where kcl ${isInstalled ? 'is' : 'is not'} installed`, {
    skip: isInstalled && skip,
  }, async (t) => {
    const module = await kclModule(await volumeClaim('kcl'));
    const { folder } = await layout({ name: 'registry.test/modules/kcl:0.1.0', ...module });
    const dir = t.testdir({ data: {}, templates, layout: folder });
    const app = await startApp(t, {
      DATA_DIR: join(dir, 'data'),
      TEMPLATES_DIR: join(dir, 'templates'),
      MODULES_DIR: join(dir, 'layout'),
      KCL_BIN: isInstalled && 'program' in found ? found.program : 'kcl-that-is-not-there',
    });
    const response = await app.inject(order);
    t.equal(response.statusCode, isInstalled ? 200 : 503, response.body);
    if (isInstalled) t.match(parse(response.json().rendered), { metadata: { name: 'templateName' } });
    else t.equal(response.json().error.code, 'ENGINE_UNAVAILABLE');
  });
}
