import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** What `/health` says about the running build. */
export interface BuildInfo {
  version: string;
  /** Git commit, or `unknown` outside a stamped build. */
  commit: string;
  /** When it was built, ISO 8601, or `unknown`. */
  date: string;
}

const PackageJson = Type.Object({ version: Type.String() });

/** The version of package.json, and the commit and date which a build stamps into `BUILD_COMMIT` and `BUILD_DATE`. */
export function readBuildInfo(env: NodeJS.ProcessEnv): BuildInfo {
  const file = new URL('../package.json', import.meta.url);
  const { version } = Value.Parse(PackageJson, JSON.parse(readFileSync(file, 'utf8')));
  return { version, commit: env.BUILD_COMMIT || 'unknown', date: env.BUILD_DATE || 'unknown' };
}
