import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from './median.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Starts of each, by turns. */
const STARTS = 20;

/** Median times from start to end, in milliseconds. */
export interface CommandTimes {
  /** `frontdesk --version`, compiled. */
  compiled: number;
  /** The same of the single file. */
  bundled: number;
  /** Node with nothing to do. */
  bare: number;
}

/** Compiles the command line and bundles it, then times how long it takes to say its version. */
export async function measureCommand(): Promise<CommandTimes> {
  await run('hack/build.mjs');
  await run('hack/bundle.mjs');
  const times: Record<keyof CommandTimes, number[]> = { compiled: [], bundled: [], bare: [] };
  for (let i = 0; i < STARTS; i++) {
    times.compiled.push(await run('dist/cli/frontdesk.js', '--version'));
    times.bundled.push(await run('bundle/frontdesk.mjs', '--version'));
    times.bare.push(await run('-e', '0'));
  }
  return { compiled: median(times.compiled), bundled: median(times.bundled), bare: median(times.bare) };
}

async function run(...args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return performance.now() - start;
}
