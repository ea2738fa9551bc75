import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseDocument } from 'yaml';
import { ModuleError } from '../module.ts';
import type { Files } from '../unpack.ts';

const CHART_FILE = 'Chart.yaml';
/** Largest `Chart.yaml`, in bytes. */
const MAX_CHART_FILE_BYTES = 65_536;

/** Annotation of a chart that quotes every value, or means values to be structure: its claims are not checked for that. */
export const QUOTES_VALUES = 'frontdesk.dev/quotes-values';

/** As far as it matters here: https://helm.sh/docs/topics/charts/#the-chartyaml-file */
const ChartFile = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 53 }),
  type: Type.Optional(Type.Literal('application')),
  annotations: Type.Optional(Type.Object({ [QUOTES_VALUES]: Type.Optional(Type.Literal('true')) })),
});
type ChartFile = Static<typeof ChartFile>;

export interface Chart {
  name: string;
  /** The one folder at the top of the archive. */
  folder: string;
  quotesValues: boolean;
}

/**
 * Finds the chart in the files of an archive that `helm package` made.
 * @throws {ModuleError} `invalid`
 */
export function findChart(files: Files): Chart {
  const [path, ...more] = [...files.keys()].filter((name) => /^[^/]+\/Chart\.yaml$/.test(name));
  if (path === undefined || more.length > 0) {
    throw new ModuleError('invalid', `a chart has one folder with a ${CHART_FILE}, this one has ${more.length}`);
  }
  const content = files.get(path) ?? Buffer.alloc(0);
  if (content.length > MAX_CHART_FILE_BYTES) {
    throw new ModuleError('invalid', `${CHART_FILE} has more than ${MAX_CHART_FILE_BYTES} bytes`);
  }
  const { name, annotations } = chartFile(content);
  const quotesValues = annotations?.[QUOTES_VALUES] === 'true';
  return { name, folder: path.slice(0, -CHART_FILE.length - 1), quotesValues };
}

function chartFile(content: Buffer): ChartFile {
  const chart = parsed(content);
  if (Value.Check(ChartFile, chart)) return chart;
  const first = Value.Errors(ChartFile, chart).First();
  throw new ModuleError(
    'invalid',
    `${CHART_FILE} is not valid: ${first?.path || '/'}: ${first?.message ?? 'unexpected'}`,
  );
}

function parsed(content: Buffer): unknown {
  const document = parseDocument(content.toString());
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new ModuleError('invalid', `${CHART_FILE} is not YAML: ${problem.message}`, { cause: problem });
  }
  return document.toJS({ maxAliasCount: 0 });
}
