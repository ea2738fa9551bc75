import { type JsonObject, textAt } from './json-object.ts';

/** Where a code host's event comes from, as far as the payload says. */
export interface Origin {
  /** `<org>/<repo>` */
  repository: string | undefined;
  /** `<org>/<repo>`, or the organisation alone. */
  place: string | undefined;
}

/** Finds the origin by the names that GitHub, Gitea and Gogs have for it. */
export function originOf(payload: JsonObject): Origin {
  const repository = textAt(payload, 'repository', 'full_name') ?? joinedName(payload);
  return { repository, place: repository ?? textAt(payload, 'organization', 'login') };
}

function joinedName(payload: JsonObject): string | undefined {
  const name = textAt(payload, 'repository', 'name');
  const owner = ['login', 'username', 'name']
    .map((key) => textAt(payload, 'repository', 'owner', key))
    .find((found) => found !== undefined);
  return owner !== undefined && name !== undefined ? `${owner}/${name}` : undefined;
}
