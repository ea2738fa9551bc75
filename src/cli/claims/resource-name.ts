import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Document, parseAllDocuments } from 'yaml';

const MAX_ALIASES = 100;

const Resource = Type.Object({
  metadata: Type.Object({ name: Type.Optional(Type.String()), generateName: Type.Optional(Type.String()) }),
});

/** The name of the first resource of a claim that has one; undefined where none has. */
export function resourceName(claim: string): string | undefined {
  for (const document of parseAllDocuments(claim, { logLevel: 'silent' })) {
    const { name, generateName } = metadataOf(document);
    if (name ?? generateName) return name ?? generateName;
  }
  return undefined;
}

function metadataOf(document: Document.Parsed): Static<typeof Resource>['metadata'] {
  if (document.errors.length > 0) return {};
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  return Value.Check(Resource, value) ? value.metadata : {};
}
