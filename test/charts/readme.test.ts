import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { test } from 'tap';
import { findProgram } from '../../src/modules/children/find-program.ts';
import { chart } from './rendered.ts';

const program = await findProgram('helm-docs', process.env.PATH ?? '');
const skip = program === undefined && 'helm-docs is not in PATH';

test('the README of the chart is what helm-docs makes of the values', { skip }, async (t) => {
  const args = ['--chart-search-root', 'charts', '--sort-values-order', 'file', '--dry-run'];
  const { stdout } = await promisify(execFile)(program || '', args);
  t.equal(stdout.trim(), readFileSync(`${chart}/README.md`, 'utf8').trim(), 'run "npm run chart:docs"');
});
