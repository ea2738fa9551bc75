import { Value } from '@sinclair/typebox/value';
import type { Catalog } from '../../catalog/catalog.ts';
import { ClaimTemplateList } from '../../catalog/claim-template.ts';
import { templateNotFound } from '../../catalog/claim-templates.ts';
import type { Desk } from '../../orders/desk.ts';
import { dryRunReport } from '../../orders/dry-run-report.ts';
import type { ClaimDesk } from './claim-desk.ts';

/** The desk of a service, without one: its catalog, its checks and its engines, in this process. */
export function localDesk(catalog: Catalog, desk: Desk, close: () => Promise<void>): ClaimDesk {
  const find = (name: string) => {
    const template = catalog.get(name);
    if (template === undefined) throw templateNotFound(name, 'structured');
    return template;
  };
  return {
    list: async ({ tags, search }) => {
      const document: unknown = JSON.parse(catalog.list(tags, search).body.toString());
      return Value.Parse(ClaimTemplateList, document).items;
    },
    template: async (name) => find(name),
    async order(name, { parameters, dryRun }) {
      const template = find(name);
      const values = desk.check(template, parameters);
      if (dryRun) return { parameters: values, text: dryRunReport(template, values) };
      return { parameters: values, ...(await desk.render(template, values)) };
    },
    [Symbol.asyncDispose]: close,
  };
}
