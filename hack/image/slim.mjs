// `node hack/image/slim.mjs FOLDER`: takes away from installed packages what nothing reads at run time: types, source maps,
// and pages for people. Licenses stay.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
const needless = /\.(?:[cm]?ts|map|md|markdown)$/i;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && needless.test(entry.name) && !/^licen[cs]e/i.test(entry.name)) {
    rmSync(join(entry.parentPath, entry.name));
  }
}
