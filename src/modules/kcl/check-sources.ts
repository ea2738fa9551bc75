import { ModuleError } from '../module.ts';
import type { Files } from '../unpack.ts';

const MODULE_FILE = 'kcl.mod';

/** The library that reads and writes files, with what KCL allows between the two words. */
const fileImport = /\bimport(?:\s|\\)+file\b/;

/** A text in TOML that begins with `/`, climbs with `..`, or could hide either by an escape or a line end. */
const outsidePath = /["'](?:\/|[^"'\n]*(?:\.\.|\\))|"""|'''/;
/** A checksum in `kcl.mod.lock`, which is no path, and may begin with `/`. */
const sum = /^\s*sum\s*=\s*"[A-Za-z0-9+/=]*"\s*$/gm;

/**
 * Refuses what is no KCL module, and one that could read the service's files: `import file` gives it all that the
 * service's user may read, and an import is always written out; and a source of which `kcl.mod` says that it is elsewhere
 * would be shown in the message about its mistakes.
 * https://www.kcl-lang.io/docs/reference/model/file
 * @throws {ModuleError} `invalid`
 */
export function checkSources(files: Files): void {
  if (!files.has(MODULE_FILE)) throw new ModuleError('invalid', `the module has no ${MODULE_FILE}`);
  for (const [path, content] of files) {
    const text = content.toString();
    if (fileImport.test(text)) {
      throw new ModuleError('invalid', `${path} imports the library "file": a module may not use files`);
    }
    if (/(?:^|\/)kcl\.mod(?:\.lock)?$/.test(path) && outsidePath.test(text.replaceAll(sum, ''))) {
      throw new ModuleError('invalid', `${path} has a path that leads out of the module, or an escape`);
    }
  }
}
