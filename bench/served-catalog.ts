import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const List = Type.Object({ items: Type.Array(Type.Unknown()) });
const Titled = Type.Object({ metadata: Type.Object({ title: Type.String() }) });
const Ready = Type.Object({ dependencies: Type.Object({ catalog: Type.Object({ templates: Type.Integer() }) }) });

/** The catalog as a server serves it. */
export class ServedCatalog {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async size(): Promise<number> {
    return (await this.#get(Ready, '/ready')).dependencies.catalog.templates;
  }

  async titleOf(name: string): Promise<string> {
    return (await this.#get(Titled, `/api/v1/claim-templates/${name}`)).metadata.title;
  }

  /** How many templates match. */
  async search(text: string): Promise<number> {
    return (await this.#get(List, `/api/v1/claim-templates?search=${text}`)).items.length;
  }

  async #get<T extends TSchema>(schema: T, path: string): Promise<Static<T>> {
    const response = await fetch(`${this.#url}${path}`);
    return Value.Parse(schema, await response.json());
  }
}
