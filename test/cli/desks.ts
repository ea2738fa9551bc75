import { resolve } from 'node:path';
import type { Test } from 'tap';
import { listenApp } from '../app.ts';
import { dataFolder } from './data-folder.ts';

const templates = resolve('templates');

/** Both kinds of desk on the built-in templates, by the arguments that name each: of a service, and without one. */
export const desks: Record<'api' | 'local', (t: Test) => Promise<string[]>> = {
  api: async (t) => {
    const { url } = await listenApp(t, { TEMPLATES_DIR: templates, DATA_DIR: await dataFolder(t) });
    return ['--api', url];
  },
  local: async () => ['--local', templates],
};
