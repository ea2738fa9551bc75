import { Problem } from '../http/problem.ts';
import { reasonOf } from '../reason-of.ts';
import { printable } from './output/printable.ts';

/** What the command ends with. */
export const exitCodes = { done: 0, failure: 1, usage: 2, validation: 3 } as const;

/** Why a command cannot do what it is asked, in one line for people, and what belongs to it, line by line. */
export class Failure extends Error {
  readonly exitCode: number;
  readonly lines: readonly string[];

  constructor(
    kind: Exclude<keyof typeof exitCodes, 'done'>,
    message: string,
    lines: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'Failure';
    this.exitCode = exitCodes[kind];
    this.lines = lines;
  }
}

/** Tells people why a command failed, on standard error, and makes the process end with the code for it. */
export function report(error: unknown): void {
  const failure = failureOf(error);
  const [message = '', ...further] = failure.message.trimEnd().split('\n');
  console.error(`error: ${printable(message)}`);
  for (const line of [...further, ...failure.lines]) console.error(`  ${printable(line)}`.trimEnd());
  process.exitCode = failure.exitCode;
}

/** What is wrong with parameters is told like everything that the caller can mend. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return error instanceof Problem ? problemFailure(error) : new Failure('failure', reasonOf(error));
}

/** An error of the service, however it came here. */
export interface ServiceError {
  statusCode: number;
  message: string;
  details?: Readonly<Record<string, unknown>> | undefined;
}

/** What the service says is wrong; with every parameter that it refuses. */
export function problemFailure({ statusCode, message, details = {} }: ServiceError): Failure {
  const kind = statusCode === 400 || statusCode === 422 ? 'validation' : 'failure';
  return new Failure(kind, message, [
    ...refusedParameters(details),
    ...misfits(message, details),
    ...unknownTemplate(details),
  ]);
}

function refusedParameters(details: Readonly<Record<string, unknown>>): string[] {
  // One alone: specification "Errors", MISSING_REQUIRED_PARAMETER.
  const { parameters = [{ name: details.parameter, reason: details.reason }], more } = details;
  const lines = (Array.isArray(parameters) ? parameters : []).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('name' in one) || !('reason' in one)) return [];
    return typeof one.name === 'string' ? [`${one.name}: ${String(one.reason)}`] : [];
  });
  return typeof more === 'number' ? [...lines, `and ${more} more`] : lines;
}

/** Fields of a request that are not what they should be, unless the message has them. */
function misfits(message: string, { problems }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(problems) ? problems.map(String).filter((problem) => !message.includes(problem)) : [];
}

function unknownTemplate({ template }: Readonly<Record<string, unknown>>): string[] {
  return typeof template === 'string' ? [`template: ${template}`] : [];
}
