import type { Parameter } from '../catalog/claim-template.ts';

/** A JSON value, as parameters and rendered documents are made of. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Validated values by parameter name. An optional parameter without value and default has no key. */
export type ParameterValues = Record<string, Json>;

/** Where a template's module is: `spec.source` and `spec.tag` of a ClaimTemplate. */
export interface ModuleReference {
  /** `oci://<registry>/<path>`, optionally with `@sha256:…`. */
  source: string;
  /** Defaults to `latest`. */
  tag?: string | undefined;
}

/** A module whose bytes are verified and compiled; shared by all templates that name it, so it holds no template's state. */
export interface Module {
  /** Digest of the manifest: `sha256:<hex>`. */
  readonly digest: string;
  /**
   * Fits the module to the parameters of one template, once per template and not per order.
   * @throws {ModuleError} if the module cannot work with these parameters; the message names file and expression.
   */
  bind(parameters: readonly Parameter[]): Renderer;
}

/** Renders claims of one template. */
export interface Renderer {
  /**
   * The claim as YAML text, deterministic: same values and digest, same bytes.
   * @throws {ModuleError} if an expression fails on these values, or a limit is exceeded.
   */
  render(values: ParameterValues): Promise<string>;
}

/**
 * A module that cannot be had, read or rendered; `engine`: the program that renders it is not installed.
 * The message is safe to show to callers.
 */
export class ModuleError extends Error {
  readonly reason: 'unavailable' | 'invalid' | 'untrusted' | 'engine' | 'render';

  constructor(reason: ModuleError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModuleError';
    this.reason = reason;
  }
}

/**
 * A module that is not to be had, and that is no outage: it is not there, we may not have it, or what is known of it is too
 * old. Nothing that was known before stands in for it.
 */
export class AbsentError extends ModuleError {
  constructor(message: string, options?: ErrorOptions) {
    super('unavailable', message, options);
  }
}
