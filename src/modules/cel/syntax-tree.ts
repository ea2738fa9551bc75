import type { parse } from '@bufbuild/cel';

/** A node of a parsed CEL expression: https://github.com/google/cel-spec/blob/v0.25.1/proto/cel/expr/syntax.proto */
export type Expr = NonNullable<ReturnType<typeof parse>['expr']>;
type Kind = Expr['exprKind'];
export type Call = Extract<Kind, { case: 'callExpr' }>['value'];
export type Comprehension = Extract<Kind, { case: 'comprehensionExpr' }>['value'];

/** The nodes right below `expr`, which share its variables; not those of a comprehension, which declares its own. */
export function children({ exprKind }: Expr): Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present([exprKind.value.operand]);
    case 'callExpr':
      return present([exprKind.value.target, ...exprKind.value.args]);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return present(
        exprKind.value.entries.flatMap(({ keyKind, value }) => [
          keyKind.case === 'mapKey' ? keyKind.value : undefined,
          value,
        ]),
      );
    default:
      return [];
  }
}

/** The nodes of a comprehension, with the variables that each of them sees beside those from outside. */
export function comprehensionParts(comprehension: Comprehension): { expr: Expr; variables: string[] }[] {
  const { iterRange, accuInit, loopCondition, loopStep, result, iterVar, iterVar2, accuVar } = comprehension;
  const inside = [iterVar, iterVar2, accuVar];
  return [
    ...present([iterRange, accuInit]).map((expr) => ({ expr, variables: [] })),
    ...present([loopCondition, loopStep]).map((expr) => ({ expr, variables: inside })),
    ...present([result]).map((expr) => ({ expr, variables: [accuVar] })),
  ];
}

const branching = new Set(['_?_:_', '_&&_', '_||_']);

/** The nodes that an evaluation may pass over; not those inside of macros, which have variables that only these declare. */
export function branchesOf(expr: Expr): Expr[] {
  const { exprKind } = expr;
  const own =
    exprKind.case === 'callExpr' && branching.has(exprKind.value.function) ? exprKind.value.args.slice(1) : [];
  return [...own, ...children(expr).flatMap(branchesOf)];
}

/** `a.b.c` if the node is nothing but names. */
export function qualifiedName({ exprKind }: Expr): string | undefined {
  if (exprKind.case === 'identExpr') return exprKind.value.name.replace(/^\./, '');
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly || exprKind.value.operand === undefined)
    return undefined;
  const operand = qualifiedName(exprKind.value.operand);
  return operand === undefined ? undefined : `${operand}.${exprKind.value.field}`;
}

function present(nodes: (Expr | undefined)[]): Expr[] {
  return nodes.filter((node) => node !== undefined);
}
