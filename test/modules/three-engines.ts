import { join } from 'node:path';
import type { Test } from 'tap';
import { digestOf } from '../../src/modules/digest.ts';
import { createEngines, type EnginesOptions } from '../../src/modules/engines.ts';
import type { Module } from '../../src/modules/module.ts';
import type { Files } from '../../src/modules/unpack.ts';
import { helmCommand } from './helm/helm-command.ts';
import { kclCommand } from './kcl/kcl-command.ts';
import { readFolder } from './read-folder.ts';

export type EngineName = 'cel' | 'helm' | 'kcl';

/** The program of an engine; `{}` for one that needs none. */
export async function programOf(engine: EngineName): Promise<{ program?: string } | { missing: string }> {
  if (engine === 'cel') return {};
  return engine === 'helm' ? helmCommand() : kclCommand();
}

const volumeClaims = {
  cel: () => readFolder(join(import.meta.dirname, '../../templates/modules/src/volumeclaim')),
  helm: () => readFolder(join(import.meta.dirname, 'volumeclaim/helm'), 'volumeclaim'),
  kcl: () => readFolder(join(import.meta.dirname, 'volumeclaim/kcl')),
};

/** The volume claim as a module of the engine. */
export const volumeClaim = (engine: EngineName): Promise<Files> => volumeClaims[engine]();

/** Opens files as a module of an engine, which cleans up at the end of the test. */
export async function openModule(
  t: Test,
  engine: EngineName,
  { files, program, ...options }: { files: Files; program?: string | undefined } & EnginesOptions,
): Promise<Module> {
  const engines = createEngines({ ...(program !== undefined && { [engine]: program }), ...options });
  t.teardown(() => engines.close());
  return engines.open({ digest: digestOf(Buffer.from(JSON.stringify([...files]))), engine, files });
}
