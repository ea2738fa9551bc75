import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { startApp } from '../../app.ts';
import { templateYaml } from '../../catalog/templates.ts';
import { chart, layout } from '../layout.ts';
import { readFolder } from '../read-folder.ts';
import { helmCommand } from './helm-command.ts';
import { pushedChart } from './pushed-chart.ts';

const found = await helmCommand();
const skip = 'missing' in found && found.missing;
const helm = 'missing' in found ? '' : found.program;
const chartFolder = join(import.meta.dirname, '../volumeclaim/helm');

const parameters = ['templateName', 'namespace', 'storage', 'storageClassName'].map((name) => ({
  name,
  type: 'string',
  required: true,
}));
const values = { templateName: 'my-data', namespace: 'shop', storage: '5Gi', storageClassName: 'fast' };
const order = {
  method: 'POST',
  url: '/api/v1/claim-templates/chart/order',
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify({ parameters: values }),
} as const;

const templates = {
  'chart.yaml': templateYaml('chart', { source: 'oci://registry.test/modules/volumeclaim', tag: '0.1.0', parameters }),
};

test('a chart that was pushed to a registry by helm is ordered', { skip }, async (t) => {
  const folder = t.testdir({ data: {}, templates });
  const layout = join(folder, 'layout');
  const missing = await pushedChart(t, { helm, chart: chartFolder, name: 'volumeclaim', folder: layout });
  if (missing !== undefined) {
    t.pass('skipped', { skip: missing.missing });
    return;
  }
  const dirs = { DATA_DIR: join(folder, 'data'), TEMPLATES_DIR: join(folder, 'templates'), MODULES_DIR: layout };
  const app = await startApp(t, { ...dirs, HELM_BIN: helm });
  const response = await app.inject(order);
  t.equal(response.statusCode, 200, response.body);
  t.match(response.json().metadata, { digest: /^sha256:[0-9a-f]{64}$/ });
  t.match(parse(response.json().rendered), { kind: 'PersistentVolumeClaim', metadata: { name: 'my-data' } });
});

test('where helm is not installed, the order of a chart is answered with 503 and says so', async (t) => {
  const pushed = await layout({
    name: 'registry.test/modules/volumeclaim:0.1.0',
    ...(await chart(await readFolder(chartFolder, 'volumeclaim'))),
  });
  const folder = t.testdir({ data: {}, templates, layout: pushed.folder });
  const dirs = { DATA_DIR: join(folder, 'data'), TEMPLATES_DIR: join(folder, 'templates') };
  const app = await startApp(t, { ...dirs, MODULES_DIR: join(folder, 'layout'), HELM_BIN: 'helm-that-is-not-there' });
  const response = await app.inject(order);
  t.equal(response.statusCode, 503);
  t.same(response.json(), {
    status: 'error',
    error: {
      code: 'ENGINE_UNAVAILABLE',
      message: 'the module needs the program helm, which is not installed',
      details: { template: 'chart' },
    },
  });
  t.equal(
    (await app.inject({ ...order, payload: JSON.stringify({ dryRun: true, parameters: values }) })).statusCode,
    200,
  );
});
