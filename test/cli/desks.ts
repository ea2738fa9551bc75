import { resolve } from 'node:path';
import type { Test } from 'tap';
import { listenApp } from '../app.ts';
import { dataFolder } from './data-folder.ts';

const templates = resolve('templates');

/** Opens a desk with the built-in templates, and gives the arguments that name it. */
export type OpenDesk = (t: Test) => Promise<string[]>;

/** Both kinds of desk: of a service, and without one. */
export const desks: Record<'api' | 'local', OpenDesk> = {
  api: async (t) => {
    const { url } = await listenApp(t, { TEMPLATES_DIR: templates, DATA_DIR: await dataFolder(t) });
    return ['--api', url];
  },
  local: async () => ['--local', templates],
};
