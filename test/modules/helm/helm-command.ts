import { findProgram } from '../../../src/modules/children/find-program.ts';

/** The `helm` of this machine, or why there is none. */
export async function helmCommand(): Promise<{ program: string } | { missing: string }> {
  const program = await findProgram('helm', process.env.PATH ?? '');
  return program === undefined ? { missing: 'helm is not in PATH' } : { program };
}
