import { ModuleError } from '../module.ts';
import type { Compile, Expression } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { MODULE_FILE, type Path, type Position } from './module-file.ts';
import type { Bindings } from './values.ts';

/** Longest message of an expression that is passed on, in UTF-16 code units; it may quote values. */
const MAX_MESSAGE_LENGTH = 300;
/** How much of an expression is shown, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 160;

/** Where an expression stands in `module.yaml`. */
export interface Place {
  /** Id of the resource. */
  resource: string;
  /** Below the resource, e.g. `template`, `spec`, `storageClassName`. */
  path: Path;
  position: Position | undefined;
}

/** An expression that knows its place, so that its errors name it. */
export interface PlacedExpression extends Expression {
  place: Place;
  /** Whether no value is no result, as in the middle of a text. */
  needsValue: boolean;
}

export function compileAt(
  { place, needsValue }: Pick<PlacedExpression, 'place' | 'needsValue'>,
  source: string,
  compile: Compile,
): PlacedExpression {
  try {
    return { ...compile(source), place, needsValue };
  } catch (error) {
    throw moduleError('invalid', { place, source }, error);
  }
}

/** Evaluates, with errors that callers can read. */
export function evaluateAt(expression: PlacedExpression, bindings: Bindings) {
  try {
    return expression.evaluate(bindings);
  } catch (error) {
    throw moduleError('render', expression, error);
  }
}

/** An error with file, line, column, resource, path and expression in front; anything but an `ExpressionError` stays what it is. */
export function moduleError(
  reason: 'invalid' | 'render',
  { place, source }: { place: Place; source: string },
  error: unknown,
): unknown {
  if (!(error instanceof ExpressionError)) return error;
  const shown = cut(source.trim(), MAX_SHOWN_LENGTH);
  return new ModuleError(reason, `${placeText(place)}: \${${shown}}: ${cut(error.message, MAX_MESSAGE_LENGTH)}`, {
    cause: error,
  });
}

export function placeText({ resource, path, position }: Place): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  const where = position === undefined ? '' : ` line ${position.line} column ${position.column}`;
  return `${MODULE_FILE}${where}, ${resource}${steps.join('')}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…`.toWellFormed() : text;
}
