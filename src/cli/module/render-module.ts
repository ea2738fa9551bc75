import { watch } from 'node:fs';
import { debounce } from '../debounce.ts';
import { report } from '../failure.ts';
import { type GivenOptions, givenValues } from '../given-values.ts';
import { openAuthorFolder } from './author-folder.ts';

/** Changes that come together are one. In milliseconds. */
const SETTLE_MS = 100;

export interface RenderOptions extends GivenOptions {
  template?: string;
  json: boolean;
  watch: boolean;
}

/** `frontdesk module render`: prints the claim; with `watch`, again after each change in the folder, until it is ended. */
export async function renderModule(folder: string, options: RenderOptions): Promise<void> {
  if (!options.watch) return renderOnce(folder, options);
  const again = debounce(SETTLE_MS, () => {
    console.error(`--- ${new Date().toLocaleTimeString()}`);
    renderOnce(folder, options).catch(report);
  });
  watch(folder, { recursive: true }, again);
  again();
}

async function renderOnce(folder: string, options: RenderOptions): Promise<void> {
  await using opened = await openAuthorFolder(folder, options.template);
  const { template, desk } = opened;
  const values = desk.check(template, await givenValues(template.spec.parameters, options));
  const { text, digest } = await desk.render(template, values);
  process.stdout.write(options.json ? `${JSON.stringify({ digest, values, claim: text })}\n` : text);
}
