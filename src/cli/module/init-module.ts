import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { MODULE_FILE } from '../../modules/cel/module-file.ts';
import { AUTHORS_FILES } from '../../modules/module-folder.ts';
import { Failure } from '../failure.ts';
import { firstFiles } from './first-files.ts';

const nameForm = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * `frontdesk module init`: makes a folder with a module, a template and tests to begin with.
 * @throws {Failure} if its name is not one of a module, or there is something in it already.
 */
export async function initModule(folder: string): Promise<void> {
  const name = basename(resolve(folder));
  if (!nameForm.test(name)) {
    throw new Failure('usage', `${name}: a module is named in lower case, by letters, digits and hyphens`);
  }
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Failure('failure', `${folder} is not empty`);
  const { module, template, tests } = firstFiles(name);
  const files = { [MODULE_FILE]: module, [AUTHORS_FILES.template]: template, [AUTHORS_FILES.tests]: tests };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
  console.log(`${folder} has ${Object.keys(files).join(', ')}. Next: frontdesk module test ${folder}`);
}
