import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseDocument } from 'yaml';
import type { Json } from '../../modules/module.ts';
import { Failure } from '../failure.ts';

/** Most cases of one file. */
const MAX_CASES = 1000;
const MAX_ALIASES = 100;

const TestCase = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, description: 'What the case shows.' }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<Json>(Type.Unknown()), { description: 'Those of the order.' }),
    ),
    expect: Type.Optional(Type.Array(Type.Unknown(), { description: 'The objects of the claim, in order.' })),
    error: Type.Optional(Type.String({ minLength: 1, description: 'Part of what is said when the order is refused.' })),
  },
  { additionalProperties: false },
);
export type TestCase = Static<typeof TestCase>;

const TestFile = Type.Object(
  { cases: Type.Array(TestCase, { minItems: 1, maxItems: MAX_CASES }) },
  { additionalProperties: false },
);

/**
 * Reads the cases of a module.
 * @throws {Failure} naming the file, and the line or the field.
 */
export function parseTestFile(text: string, file: string): TestCase[] {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new Failure('failure', `${file}: ${error.message}`);
  const content: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  if (!Value.Check(TestFile, content)) {
    const first = Value.Errors(TestFile, content).First();
    throw new Failure('failure', `${file}: ${first?.path || '/'}: ${first?.message ?? 'unexpected'}`);
  }
  for (const { name, expect, error } of content.cases) {
    if ((expect === undefined) === (error === undefined)) {
      throw new Failure('failure', `${file}: the case "${name}" needs either expect or error`);
    }
  }
  return content.cases;
}
