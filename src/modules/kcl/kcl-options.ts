import { ModuleError, type ParameterValues } from '../module.ts';

/** Longest option, in bytes: Linux takes no longer argument. https://man7.org/linux/man-pages/man2/execve.2.html */
export const MAX_OPTION_BYTES = 131_071;
/** Longest options of one order, in bytes. */
export const MAX_OPTIONS_BYTES = 1_048_576;

/**
 * `name=value` for each parameter. KCL reads the value as JSON, so a string stays a string, whatever it looks like.
 * @throws {ModuleError} `render` if that is longer than an argument can be.
 */
export function kclOptions(values: ParameterValues): string[] {
  let left = MAX_OPTIONS_BYTES;
  return Object.entries(values).map(([name, value]) => {
    const option = `${name}=${JSON.stringify(value)}`;
    const bytes = Buffer.byteLength(option);
    if (bytes > MAX_OPTION_BYTES) {
      throw new ModuleError('render', `parameter ${name} has more than ${MAX_OPTION_BYTES} bytes as an option of kcl`);
    }
    left -= bytes;
    if (left >= 0) return option;
    throw new ModuleError('render', `the parameters have more than ${MAX_OPTIONS_BYTES} bytes as options of kcl`);
  });
}
