import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemText } from '../../catalog/check-template.ts';
import type { ClaimTemplate } from '../../catalog/claim-template.ts';
import { parseTemplateFile } from '../../catalog/template-file.ts';
import { folderArtifact } from '../../modules/folder-artifact.ts';
import { AUTHORS_FILES } from '../../modules/module-folder.ts';
import type { Desk } from '../../orders/desk.ts';
import { reasonOf } from '../../reason-of.ts';
import { artifactDesk } from '../artifact-desk.ts';
import { Failure } from '../failure.ts';

/** What a template author works on: a module, and a template that orders it. */
export interface AuthorFolder extends AsyncDisposable {
  template: ClaimTemplate;
  /** Renders the module as it is in the folder, whatever the template names as its source. */
  desk: Desk;
}

/**
 * Reads `folder`, and the template in it unless another file is named.
 * @throws {Failure} if the template is missing, or something is wrong with it.
 * @throws {ModuleError} if something is wrong with the module.
 */
export async function openAuthorFolder(
  folder: string,
  templateFile = join(folder, AUTHORS_FILES.template),
): Promise<AuthorFolder> {
  const artifact = await folderArtifact(folder);
  const template = await readTemplate(templateFile);
  const { desk, close } = await artifactDesk(artifact, process.env);
  return { template, desk, [Symbol.asyncDispose]: close };
}

async function readTemplate(file: string): Promise<ClaimTemplate> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure('failure', `the template cannot be read: ${reasonOf(error)}`);
  });
  const { templates, rejected } = parseTemplateFile(text, file);
  const problems = rejected.flatMap(({ problems }) => problems.map(problemText));
  if (problems.length > 0) throw new Failure('validation', `${file} is no valid template`, problems);
  const [only, ...more] = templates;
  if (only === undefined || more.length > 0) {
    throw new Failure('failure', `${file} has ${templates.length} templates, where one is needed`);
  }
  return only.template;
}
