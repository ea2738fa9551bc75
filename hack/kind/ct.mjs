// `npm run kind:ct`: lints the chart, and installs, tests and upgrades it with every file of values in its folder ci/, each
// in a namespace of its own. Plain JavaScript, as install.mjs.
import { imageValues } from './image-values.mjs';
import { need, needCluster, output, run } from './run.mjs';

need('helm', 'ct');
needCluster();
const values = Object.entries(imageValues()).map(([path, value]) => `${path}=${value}`);
const which = ['--config', '.github/ct.yaml', '--charts', 'charts/frontdesk'];
run('ct', ['lint', ...which]);
// From what the target branch has; a clone without a remote has no such thing.
const upgrade = output('git', ['rev-parse', '--verify', 'origin/main']) !== undefined;
if (!upgrade) console.log('There is no origin/main to upgrade from: charts are installed only.');
const set = `--set-string=${values.join(',')}`;
run('ct', ['install', ...which, `--upgrade=${upgrade}`, '--helm-extra-set-args', set]);
