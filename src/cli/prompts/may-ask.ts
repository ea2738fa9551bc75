/** Whether somebody is there to answer: not in a script, and not where standard input has the parameters. */
export function mayAsk({ yes, paramsFile }: { yes: boolean; paramsFile?: string }): boolean {
  return !yes && paramsFile !== '-' && process.stdin.isTTY && process.stderr.isTTY;
}
