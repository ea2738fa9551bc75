import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { AUTHORS_FILES } from '../../modules/module-folder.ts';
import { reasonOf } from '../../reason-of.ts';
import { Failure, failureOf } from '../failure.ts';
import { type AuthorFolder, openAuthorFolder } from './author-folder.ts';
import { lineDifference } from './line-difference.ts';
import { parseTestFile, type TestCase } from './test-file.ts';

export interface TestOptions {
  template?: string;
  json: boolean;
}

interface Outcome {
  name: string;
  passed: boolean;
  /** What was expected and found, line by line, where they differ. */
  difference?: string[];
}

/**
 * `frontdesk module test`: renders the cases of `tests.yaml`, and says which are as expected.
 * @throws {Failure} if one is not.
 */
export async function testModule(folder: string, { template, json }: TestOptions): Promise<void> {
  const file = join(folder, AUTHORS_FILES.tests);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure('failure', `the tests cannot be read: ${reasonOf(error)}`);
  });
  await using opened = await openAuthorFolder(folder, template);
  const outcomes: Outcome[] = [];
  for (const one of parseTestFile(text, file)) {
    const outcome = await outcomeOf(opened, one);
    outcomes.push(outcome);
    if (!json) print(outcome);
  }
  if (json) console.log(JSON.stringify({ cases: outcomes }));
  const failed = outcomes.filter(({ passed }) => !passed).length;
  if (failed > 0) throw new Failure('failure', `${failed} of ${outcomes.length} cases failed`);
  if (!json) console.log(`${outcomes.length} passed`);
}

async function outcomeOf(opened: AuthorFolder, one: TestCase): Promise<Outcome> {
  const { name, error: expectedError, expect = [] } = one;
  const found = await order(opened, one);
  if ('error' in found) {
    if (expectedError !== undefined && found.error.includes(expectedError)) return { name, passed: true };
    return differing(name, expectedError ?? documents(expect), found.error);
  }
  if (expectedError !== undefined) return differing(name, expectedError, documents(found.objects));
  if (isDeepStrictEqual(found.objects, expect)) return { name, passed: true };
  return differing(name, documents(expect), documents(found.objects));
}

async function order({ template, desk }: AuthorFolder, { parameters = {} }: TestCase) {
  try {
    const { text } = await desk.render(template, desk.check(template, parameters));
    return { objects: parseAllDocuments(text).map((document): unknown => document.toJS()) };
  } catch (error) {
    const { message, lines } = failureOf(error);
    return { error: [message, ...lines].join('\n') };
  }
}

function documents(objects: readonly unknown[]): string {
  return objects.map((object) => stringify(object, { sortMapEntries: true })).join('---\n');
}

function differing(name: string, expected: string, found: string): Outcome {
  return { name, passed: false, difference: lineDifference(expected, found) };
}

function print({ name, passed, difference = [] }: Outcome): void {
  console.log(`${passed ? 'ok' : 'not ok'}: ${name}`);
  for (const line of difference) console.log(`    ${line}`);
}
