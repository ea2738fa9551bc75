import type { V1LeaseSpec } from '@kubernetes/client-node';

/**
 * A lease as it was seen last. How long it has to be respected is counted from when it was seen to change, by the clock
 * of this process alone: that is later than it was changed, so it is never taken too early.
 */
export class SeenLease {
  readonly #durationMs: number;
  readonly #monotonic: () => number;
  #seen: { record: string; spec: V1LeaseSpec; at: number } | undefined;
  #unchanged = 0;

  /** @param durationMs of a lease that does not say */
  constructor(durationMs: number, monotonic: () => number) {
    this.#durationMs = durationMs;
    this.#monotonic = monotonic;
  }

  get holder(): string | undefined {
    return this.#seen?.spec.holderIdentity || undefined;
  }

  /** How often it was looked at since it was seen to change. */
  get unchanged(): number {
    return this.#unchanged;
  }

  /** How long it has to be respected still, in milliseconds. */
  get left(): number {
    if (this.#seen === undefined) return 0;
    const { leaseDurationSeconds } = this.#seen.spec;
    const duration = leaseDurationSeconds === undefined ? this.#durationMs : leaseDurationSeconds * 1000;
    return this.#seen.at + duration - this.#monotonic();
  }

  see(spec: V1LeaseSpec | undefined): void {
    const record = JSON.stringify(spec);
    const isNew = record !== this.#seen?.record;
    this.#unchanged = isNew ? 0 : this.#unchanged + 1;
    if (spec === undefined) this.#seen = undefined;
    else if (isNew) this.#seen = { record, spec, at: this.#monotonic() };
  }
}
