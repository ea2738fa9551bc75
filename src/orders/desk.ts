import type { ClaimTemplate } from '../catalog/claim-template.ts';
import { compileParameter } from '../catalog/parameter-check.ts';
import { Problem, type ProblemCode } from '../http/problem.ts';
import { type Json, ModuleError, type ParameterValues, type Renderer } from '../modules/module.ts';
import type { Modules } from '../modules/modules.ts';
import { type CheckedParameter, resolveValues } from './resolve-values.ts';

/** Most refused parameters that one answer lists. */
const MAX_LISTED = 100;

/** Whose fault it is: what is wrong with a module is ours; what only these values bring about is the caller's. */
const problemOf = {
  unavailable: 'MODULE_UNAVAILABLE',
  invalid: 'MODULE_INVALID',
  untrusted: 'SIGNATURE_INVALID',
  engine: 'ENGINE_UNAVAILABLE',
  render: 'RENDER_FAILED',
} as const satisfies Record<ModuleError['reason'], ProblemCode>;

/** A claim that was rendered, and the digest of the module that rendered it. */
export interface RenderedClaim {
  text: string;
  digest: string;
}

/**
 * Takes orders: checks parameters and renders claims. What depends only on a template is made at its first order and
 * kept as long as the template object lives, so a changed template starts afresh.
 */
export class Desk {
  readonly #modules: Modules;
  readonly #randomIndex: (length: number) => number;
  readonly #parameters = new WeakMap<ClaimTemplate, CheckedParameter[]>();
  readonly #renderers = new WeakMap<ClaimTemplate, { digest: string; renderer: Renderer }>();

  constructor(modules: Modules, randomIndex: (length: number) => number) {
    this.#modules = modules;
    this.#randomIndex = randomIndex;
  }

  /**
   * The values that an order of `template` renders with.
   * @throws {Problem} `MISSING_REQUIRED_PARAMETER` if parameters are missing and all others are fine, else
   * `VALIDATION_FAILED`; either with everything that is wrong.
   */
  check(template: ClaimTemplate, given: Readonly<Record<string, Json>>): ParameterValues {
    const { values, missing, invalid } = resolveValues(this.#checked(template), given, this.#randomIndex);
    const absent = missing.map((name) => ({ name, reason: 'is required and has no default' }));
    const [first] = absent;
    if (invalid.length > 0) throw validationFailed([...invalid, ...absent]);
    if (first !== undefined) {
      throw new Problem('MISSING_REQUIRED_PARAMETER', {
        message: `parameter ${first.name} is required`,
        details: { parameter: first.name, reason: first.reason, parameters: absent },
      });
    }
    return values;
  }

  /**
   * Renders checked values.
   * @throws {Problem} `MODULE_UNAVAILABLE`, `MODULE_INVALID`, `SIGNATURE_INVALID`, `ENGINE_UNAVAILABLE` or `RENDER_FAILED`.
   */
  async render(template: ClaimTemplate, values: ParameterValues): Promise<RenderedClaim> {
    try {
      const { digest, renderer } = await this.#renderer(template);
      return { text: await renderer.render(values), digest };
    } catch (error) {
      if (!(error instanceof ModuleError)) throw error;
      throw new Problem(problemOf[error.reason], {
        message: error.message,
        details: { template: template.metadata.name },
        cause: error,
      });
    }
  }

  #checked(template: ClaimTemplate): CheckedParameter[] {
    let checked = this.#parameters.get(template);
    if (checked === undefined) {
      checked = template.spec.parameters.map((parameter) => ({ parameter, check: compileParameter(parameter) }));
      this.#parameters.set(template, checked);
    }
    return checked;
  }

  async #renderer(template: ClaimTemplate): Promise<{ digest: string; renderer: Renderer }> {
    const module = await this.#modules.resolve(template.spec);
    const known = this.#renderers.get(template);
    if (known?.digest === module.digest) return known;
    const bound = { digest: module.digest, renderer: module.bind(template.spec.parameters) };
    this.#renderers.set(template, bound);
    return bound;
  }
}

function validationFailed(problems: readonly { name: string; reason: string }[]): Problem {
  const more = problems.length - MAX_LISTED;
  return new Problem('VALIDATION_FAILED', {
    message: `${problems.length} ${problems.length === 1 ? 'check' : 'checks'} of the parameters failed`,
    details: { parameters: problems.slice(0, MAX_LISTED), ...(more > 0 && { more }) },
  });
}
