import { Problem } from '../http/problem.ts';
import { reasonOf } from '../reason-of.ts';

/** What the command ends with. */
export const exitCodes = { done: 0, failure: 1, usage: 2, validation: 3 } as const;

/** Why a command cannot do what it is asked, in one line for people, and what belongs to it, line by line. */
export class Failure extends Error {
  readonly exitCode: number;
  readonly lines: readonly string[];

  constructor(kind: Exclude<keyof typeof exitCodes, 'done'>, message: string, lines: readonly string[] = []) {
    super(message);
    this.name = 'Failure';
    this.exitCode = exitCodes[kind];
    this.lines = lines;
  }
}

/** Tells people why a command failed, on standard error, and makes the process end with the code for it. */
export function report(error: unknown): void {
  const failure = error instanceof Failure ? error : failureOf(error);
  console.error(`error: ${failure.message}`);
  for (const line of failure.lines) console.error(`  ${line}`);
  process.exitCode = failure.exitCode;
}

/** What is wrong with parameters is told like everything that the caller can mend. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Problem)) return new Failure('failure', reasonOf(error));
  const kind = error.statusCode < 500 ? 'validation' : 'failure';
  const parameters = error.details?.parameters;
  const lines = Array.isArray(parameters) ? parameters.map(({ name, reason }) => `${name}: ${reason}`) : [];
  return new Failure(kind, error.message, lines);
}
