import { hash } from 'node:crypto';
import type { TemplateProblem } from './check-template.ts';
import { apiVersion, type ClaimTemplate } from './claim-template.ts';

/** A template as a source found it. */
export interface LoadedTemplate {
  template: ClaimTemplate;
  /** Where it came from, for people: a file name, a namespace and name. */
  origin: string;
}

/** A file or template that is not served, and why. */
export interface RejectedTemplate {
  origin: string;
  problems: TemplateProblem[];
}

/** Everything that a source holds at one moment, in the order of precedence. */
export interface CatalogSnapshot {
  templates: readonly LoadedTemplate[];
  rejected: readonly RejectedTemplate[];
}

/** A JSON document, ready to be sent. */
export interface Document {
  body: Buffer;
  /** Strong validator of `body`, quoted as RFC 9110 8.8.3 asks. */
  etag: string;
}

interface Entry {
  template: ClaimTemplate;
  document: Document;
  /** What the list says of it, as JSON. */
  listed: string;
  tags: ReadonlySet<string>;
  /** Name, title, description and tags in lower case, apart from each other. */
  text: string;
}

/**
 * The templates that are served now. Everything that does not depend on a request is made once per change of a template,
 * so that a list is little more than writing bytes, and of many templates one can change all the time.
 */
export class Catalog {
  #entries = new Map<string, Entry>();
  /** The same, by name. */
  #sorted: readonly Entry[] = [];
  #rejected: readonly RejectedTemplate[] = [];
  /** Of all, once it was asked for. */
  #list: Document | undefined;

  /** Replaces all templates. Where a name is taken twice the first wins, and the other is rejected. */
  replace({ templates, rejected }: CatalogSnapshot): void {
    const entries = new Map<string, Entry>();
    const origins = new Map<string, string>();
    const conflicts: RejectedTemplate[] = [];
    for (const { template, origin } of templates) {
      const { name } = template.metadata;
      const winner = origins.get(name);
      const before = this.#entries.get(name);
      if (winner === undefined) {
        entries.set(name, before?.template === template ? before : entryOf(template));
        origins.set(name, origin);
      } else {
        conflicts.push({ origin, problems: [{ path: 'metadata.name', reason: `${name} is taken by ${winner}` }] });
      }
    }
    this.#entries = entries;
    this.#sorted = [...entries.values()].sort((a, b) => (a.template.metadata.name < b.template.metadata.name ? -1 : 1));
    this.#rejected = [...rejected, ...conflicts];
    this.#list = undefined;
  }

  get size(): number {
    return this.#entries.size;
  }

  get rejected(): readonly RejectedTemplate[] {
    return this.#rejected;
  }

  get(name: string): ClaimTemplate | undefined {
    return this.#entries.get(name)?.template;
  }

  /** The template as a JSON document. */
  describe(name: string): Document | undefined {
    return this.#entries.get(name)?.document;
  }

  /**
   * The ClaimTemplateList of the templates that carry all `tags` (exact, in any letter case) and hold `search`
   * (any letter case) in name, title, description or a tag; sorted by name.
   */
  list(tags: readonly string[], search: string): Document {
    if (tags.length === 0 && search === '') {
      this.#list ??= listOf(this.#sorted);
      return this.#list;
    }
    const wanted = tags.map((tag) => tag.toLowerCase());
    const text = search.toLowerCase();
    const entries = this.#sorted.filter(
      (entry) => wanted.every((tag) => entry.tags.has(tag)) && entry.text.includes(text),
    );
    return listOf(entries);
  }
}

function entryOf(template: ClaimTemplate): Entry {
  const { metadata, spec } = template;
  const { parameters: _, ...shortSpec } = spec;
  const tags = (metadata.tags ?? []).map((tag) => tag.toLowerCase());
  return {
    template,
    document: documentOf(JSON.stringify(template)),
    listed: JSON.stringify({ ...template, spec: shortSpec }),
    tags: new Set(tags),
    text: [metadata.name, metadata.title ?? '', metadata.description ?? '', ...tags].join('\n').toLowerCase(),
  };
}

function listOf(entries: readonly Entry[]): Document {
  const items = entries.map(({ listed }) => listed).join(',');
  return documentOf(`{"apiVersion":"${apiVersion}","kind":"ClaimTemplateList","items":[${items}]}`);
}

function documentOf(json: string): Document {
  return { body: Buffer.from(json), etag: `"${hash('sha256', json, 'base64url')}"` };
}
