import { CelScalar, celFunc } from '@bufbuild/cel';
import { children, comprehensionParts, type Expr } from './syntax-tree.ts';
import type { Work } from './work.ts';

/** A name that no expression can have in its text. */
const COUNT = '@count';

/** The function that `countIterations` puts in; it gives back what it gets. */
export function iterationCounter(work: Work) {
  return celFunc(COUNT, [CelScalar.DYN], CelScalar.DYN, (value) => {
    work.spend(1);
    return value;
  });
}

/** Makes each iteration of the expression's macros call the counter, in the condition that ends the loop. */
export function countIterations(expr: Expr): void {
  if (expr.exprKind.case !== 'comprehensionExpr') {
    for (const child of children(expr)) countIterations(child);
    return;
  }
  for (const part of comprehensionParts(expr.exprKind.value)) countIterations(part.expr);
  const { loopCondition } = expr.exprKind.value;
  if (loopCondition === undefined) return;
  expr.exprKind.value.loopCondition = {
    $typeName: 'cel.expr.Expr',
    id: loopCondition.id,
    exprKind: {
      case: 'callExpr',
      value: { $typeName: 'cel.expr.Expr.Call', function: COUNT, args: [loopCondition] },
    },
  };
}
