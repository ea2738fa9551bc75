/** What is wrong with an expression or its result, without the place where it stands. */
export class ExpressionError extends Error {
  /** `type`: it can never work with values of these types. `value`: it did not with these values. */
  readonly kind: 'type' | 'value';

  constructor(kind: ExpressionError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
