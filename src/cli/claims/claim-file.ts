import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../has-code.ts';
import { reasonOf } from '../../reason-of.ts';
import { Failure } from '../failure.ts';

/** Where claims are saved unless a file is named; specification "What the service does". */
const FOLDER = '/tmp';
/** Longest part of a file name that comes from a claim, in characters. */
const MAX_NAME = 100;
/** A claim may hold what others on this machine need not read. */
const MODE = 0o600;

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** `/tmp/<templateName>-<resourceName>.yaml`, of both names what is safe in the name of a file. */
export function defaultFile(template: string, resource: string | undefined): string {
  return join(FOLDER, `${safe(template)}-${safe(resource ?? 'claim')}.yaml`);
}

function safe(name: string): string {
  const kept = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return kept.slice(0, MAX_NAME) || 'claim';
}

/**
 * Saves a claim. A file that is there is left as it is unless `force`, and no symbolic link is followed: another user
 * may have put one in a shared folder such as `/tmp`.
 * @throws {Failure}
 */
export async function saveClaim(file: string, text: string, { force }: { force: boolean }): Promise<void> {
  try {
    if (force) await replace(file, text);
    else await create(file, text);
  } catch (cause) {
    if (hasCode(cause, 'EEXIST', 'ELOOP')) {
      throw new Failure('failure', `${file} is there already`, ['-o names another, --force replaces it'], { cause });
    }
    throw new Failure('failure', `the claim cannot be saved: ${reasonOf(cause)}`, [], { cause });
  }
}

async function create(file: string, text: string): Promise<void> {
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, MODE);
  try {
    await handle.writeFile(text);
  } catch (error) {
    // It was made here, and half a claim is worse than none.
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
}

/** By a new file that takes the other's place: whoever reads meanwhile finds the old or the new, and a link is replaced itself. */
async function replace(file: string, text: string): Promise<void> {
  const fresh = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  await create(fresh, text);
  try {
    await rename(fresh, file);
  } catch (error) {
    await unlink(fresh);
    throw error;
  }
}
