import type { CelEnv } from '@bufbuild/cel';
import { ExpressionError } from './expression-error.ts';
import { INDEX, SELECT } from './optional-syntax.ts';
import { type Call, children, comprehensionParts, type Expr, qualifiedName } from './syntax-tree.ts';

/** Deepest nesting of an expression, macros and operators in a row included; a check by number, before the stack ends. */
export const MAX_EXPRESSION_DEPTH = 256;
/** The one variable that expressions see. */
export const PARAMETERS = 'parameters';

// Names of types stand for values in CEL, as in `type(x) == int`.
const types = new Set(['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint']);
// These are not functions to the library, but built into its evaluation.
const operators = new Set(['_?_:_', '_&&_', '_||_', '_[_]', '@not_strictly_false']);

/** What takes an entry of a map or list. */
const entryFunctions = new Set(['_[_]', SELECT, INDEX]);

type FunctionGroup = NonNullable<ReturnType<CelEnv['funcs']['find']>>;

/**
 * Finds out what an expression refers to, so that a wrong name fails when the module is loaded and not in an order.
 * @returns the names of the parameters it uses.
 * @throws {ExpressionError} `type` for an unknown variable or function, and for uses of `parameters` other than
 * `parameters.name` and `parameters["name"]`, also as optionals, whose names could not be known beforehand.
 */
export function checkNames(expr: Expr, env: CelEnv): Set<string> {
  const found = new Set<string>();
  visit(expr, { env, found, variables: new Set(), depth: 0 });
  return found;
}

interface Scope {
  env: CelEnv;
  /** Names of parameters so far. */
  found: Set<string>;
  /** Those that the macros around have declared. */
  variables: ReadonlySet<string>;
  depth: number;
}

function visit(node: Expr, outer: Scope): void {
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > MAX_EXPRESSION_DEPTH) throw wrong(`is nested deeper than ${MAX_EXPRESSION_DEPTH}`);
  const parameter = parameterName(node);
  if (parameter !== undefined) {
    scope.found.add(parameter);
    return;
  }
  const { exprKind } = node;
  switch (exprKind.case) {
    case 'identExpr':
      checkVariable(exprKind.value.name.replace(/^\./, ''), scope.variables);
      return;
    case 'structExpr':
      if (exprKind.value.messageName !== '') throw wrong(`there is no type ${exprKind.value.messageName}`);
      visitAll(children(node), scope);
      return;
    case 'comprehensionExpr':
      for (const { expr, variables } of comprehensionParts(exprKind.value)) visit(expr, extended(scope, variables));
      return;
    case 'callExpr':
      visitAll(operands(exprKind.value, scope.env), scope);
      return;
    default:
      visitAll(children(node), scope);
  }
}

function visitAll(nodes: readonly Expr[], scope: Scope): void {
  for (const node of nodes) visit(node, scope);
}

function checkVariable(name: string, variables: ReadonlySet<string>): void {
  if (name === PARAMETERS) throw wrong('`parameters` is to be used as `parameters.name` or `parameters["name"]`');
  if (!variables.has(name) && !types.has(name)) throw wrong(`there is no variable ${name}`);
}

/** The operands of a call whose function is there with as many arguments. */
function operands({ function: name, target, args }: Call, env: CelEnv): Expr[] {
  if (operators.has(name)) return present(target, args);
  const namespace = target === undefined ? undefined : qualifiedName(target);
  const qualified = namespace === undefined ? undefined : env.funcs.find(`${namespace}.${name}`);
  if (qualified !== undefined) {
    checkArguments(qualified, { method: false, count: args.length });
    return args;
  }
  const group = env.funcs.find(name);
  if (group === undefined) throw wrong(`there is no function ${name}`);
  checkArguments(group, { method: target !== undefined, count: args.length });
  return present(target, args);
}

function checkArguments(group: FunctionGroup, call: { method: boolean; count: number }): void {
  for (const func of group) {
    if ((func.target !== undefined) === call.method && func.arguments.length === call.count) return;
  }
  throw wrong(`${call.method ? 'the method' : 'the function'} ${group.name} does not take ${call.count} arguments`);
}

/** `x` for `parameters.x`, `has(parameters.x)`, `parameters["x"]`, `parameters.?x` and `parameters[?"x"]`. */
function parameterName({ exprKind }: Expr): string | undefined {
  if (exprKind.case === 'selectExpr') {
    const { operand, field } = exprKind.value;
    return operand !== undefined && isParameters(operand) ? field : undefined;
  }
  if (exprKind.case !== 'callExpr' || !entryFunctions.has(exprKind.value.function)) return undefined;
  const [operand, index] = present(exprKind.value.target, exprKind.value.args);
  if (operand === undefined || !isParameters(operand) || index?.exprKind.case !== 'constExpr') return undefined;
  const { constantKind } = index.exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : undefined;
}

function isParameters(node: Expr): boolean {
  return node.exprKind.case === 'identExpr' && qualifiedName(node) === PARAMETERS;
}

function extended(scope: Scope, variables: string[]): Scope {
  if (variables.includes(PARAMETERS)) throw wrong('a macro may not name its variable `parameters`');
  return { ...scope, variables: new Set([...scope.variables, ...variables]) };
}

function present(target: Expr | undefined, args: Expr[]): Expr[] {
  return target === undefined ? args : [target, ...args];
}

function wrong(message: string): ExpressionError {
  return new ExpressionError('type', message);
}
