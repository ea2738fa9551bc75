import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEngines } from '../src/modules/engines.ts';
import { folderArtifact } from '../src/modules/folder-artifact.ts';
import { median } from './median.ts';

/** Orders of one measurement, each beside a run of the program alone. */
const ORDERS = 20;

const fixtures = join(import.meta.dirname, '../test/modules/volumeclaim');
const values = { templateName: 'data', namespace: 'default', storage: '20Gi', storageClassName: 'standard' };
const { HELM_BIN: helm = 'helm' } = process.env;

export interface HelmTimes {
  /** Median time of a warm order, in milliseconds. */
  order: number;
  /** That of the program alone, given the same chart and values. */
  alone: number;
}

/** Renders the volume claim as a chart: by the engine, and by `helm template` itself, by turns. */
export async function measureHelm(): Promise<HelmTimes> {
  const engines = createEngines({ helm });
  try {
    const module = await engines.open(await folderArtifact(join(fixtures, 'helm')));
    const renderer = module.bind([]);
    await renderer.render(values);
    const [orders, alone]: [number[], number[]] = [[], []];
    for (let i = 0; i < ORDERS; i++) {
      orders.push(await timeOf(() => renderer.render(values)));
      alone.push(await timeOf(helmAlone));
    }
    return { order: median(orders), alone: median(alone) };
  } finally {
    await engines.close();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function helmAlone(): Promise<void> {
  const args = ['template', 'volumeclaim', join(fixtures, 'helm'), '--values=-'];
  const child = spawn(helm, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(JSON.stringify(values));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`helm ended with ${code}`);
}
