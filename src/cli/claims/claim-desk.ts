import type { ClaimTemplate } from '../../catalog/claim-template.ts';
import type { Json, ParameterValues } from '../../modules/module.ts';

/** What a list tells of a template; the spec may be shortened. */
export type ListedTemplate = Pick<ClaimTemplate, 'metadata'> & { spec: Partial<ClaimTemplate['spec']> };

export interface TemplateFilter {
  /** All must match, in any letter case. */
  tags: readonly string[];
  /** Part of name, title, description or a tag, in any letter case; empty for all. */
  search: string;
}

/** An order that was taken. */
export interface TakenOrder {
  /** The values used, defaults included, as far as they are known. */
  parameters: ParameterValues;
  /** The claim as YAML; of a dry run the report. */
  text: string;
  /** Of the module that rendered it. */
  digest?: string | undefined;
}

/** Where claims are ordered: a service, or templates at hand. Both check and render by the same rules. */
export interface ClaimDesk extends AsyncDisposable {
  list(filter: TemplateFilter): Promise<ListedTemplate[]>;
  /** @throws if there is none of that name. */
  template(name: string): Promise<ClaimTemplate>;
  /** @throws with everything that is wrong with the parameters, at once. */
  order(template: string, order: { parameters: Readonly<Record<string, Json>>; dryRun: boolean }): Promise<TakenOrder>;
}
