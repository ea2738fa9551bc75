import { setTimeout as sleep } from 'node:timers/promises';
import { apiReason, apiStatus } from '../kubernetes/api-error.ts';
import { LEASE_DURATION_MS, type LeaseOptions, RENEW_DEADLINE_MS, RETRY_MS } from './lease-options.ts';
import { heldBy, released } from './lease-spec.ts';
import { LeaseStore } from './lease-store.ts';
import { SeenLease } from './seen-lease.ts';
import { Term } from './term.ts';

/**
 * A holder is looked at a little before it should have renewed, and then a few times in short succession: when a renewal is
 * seen soon after it is made, the lease runs out for others soon after it does for its holder. Parts of the pause.
 */
const BEFORE_RENEWAL = 0.95;
const SHORT = 0.1;
const SHORT_LOOKS = 10;
/** How long giving the lease back may take when the process ends, in milliseconds. */
const RELEASE_LIMIT_MS = 3_000;

/**
 * Leader election among all processes that name the same Lease, by the rules of client-go: whoever holds it renews it,
 * and others take it when it was given back or was not seen to change for its duration. Clocks need not agree. It goes on
 * for ever, also while the API server is away.
 */
export class Lease {
  readonly #options: LeaseOptions & { durationMs: number; renewDeadlineMs: number; retryMs: number };
  readonly #store: LeaseStore;
  readonly #closing = new AbortController();
  readonly #seen: SeenLease;
  #term: Term | undefined;
  /** Whether the last write that was asked for may have made this process the holder. */
  #mayHold = false;
  #failure: string | undefined;
  #running: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    const times = { durationMs: LEASE_DURATION_MS, renewDeadlineMs: RENEW_DEADLINE_MS, retryMs: RETRY_MS };
    this.#options = { ...times, ...options };
    const { config, namespace, name = 'frontdesk', durationMs, renewDeadlineMs, monotonic } = this.#options;
    this.#seen = new SeenLease(durationMs, monotonic);
    this.#store = new LeaseStore({ config, namespace, name, limitMs: renewDeadlineMs / 2 });
  }

  get leads(): boolean {
    return this.#term?.held ?? false;
  }

  /** Who held the lease when it was seen last. */
  get holder(): string | undefined {
    return this.#seen.holder;
  }

  /** Why the lease cannot be read or written now, if it cannot. */
  get failure(): string | undefined {
    return this.#failure;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends the term, and gives the lease back; takes `RELEASE_LIMIT_MS` at most. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#term?.end('the process ends');
    if (!this.#mayHold) return;
    try {
      await this.#release(AbortSignal.timeout(RELEASE_LIMIT_MS));
    } catch (error) {
      this.#options.log.warn({ reason: apiReason(error) }, 'the lease was not given back; it will run out');
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#attempt();
      await sleep(this.#pause(), undefined, { signal }).catch(() => undefined);
    }
  }

  async #attempt(): Promise<void> {
    try {
      await this.#acquireOrRenew();
      this.#failure = undefined;
    } catch (error) {
      // Another one was quicker: the next attempt sees who.
      if (this.#closing.signal.aborted || apiStatus(error) === 409) return;
      const reason = apiReason(error);
      if (reason !== this.#failure) this.#options.log.warn({ reason }, 'the lease cannot be read or written');
      this.#failure = reason;
    }
  }

  async #acquireOrRenew(): Promise<void> {
    const { identity, durationMs, clock, monotonic } = this.#options;
    const { signal } = this.#closing;
    const lease = await this.#store.read(signal);
    this.#seen.see(lease?.spec);
    const holder = lease?.spec.holderIdentity;
    this.#mayHold = holder === identity;
    if (!this.#mayHold) this.#term?.end(holder ? `${holder} holds the lease` : 'nobody holds the lease');
    if (holder && !this.#mayHold && this.#seen.left > 0) return;
    const spec = heldBy(identity, lease?.spec, { durationMs, now: clock() });
    const asked = monotonic();
    this.#mayHold = true;
    await (lease === undefined ? this.#store.create(spec, signal) : this.#store.replace(lease, spec, signal));
    this.#seen.see(spec);
    this.#hold(asked);
  }

  /** The lease was written by us at some time after `asked`, from which on our term is counted. */
  #hold(asked: number): void {
    const { renewDeadlineMs, monotonic, onAcquired, onLost, log } = this.#options;
    const until = asked + renewDeadlineMs;
    if (this.#term?.held) {
      this.#term.extend(until);
      return;
    }
    this.#term?.end('the lease could not be renewed in time');
    if (monotonic() >= until || this.#closing.signal.aborted) return;
    const onEnd = (reason: string) => {
      log.info({ reason }, 'this process does not lead any more');
      onLost(reason);
    };
    this.#term = new Term({ monotonic, until, onEnd });
    log.info({ identity: this.#options.identity }, 'this process leads');
    onAcquired(this.#term);
  }

  #pause(): number {
    const { retryMs, random } = this.#options;
    if (this.#term?.held) return retryMs;
    const { left, unchanged } = this.#seen;
    if (left <= 0) return retryMs * (0.5 + random() / 2);
    return Math.min(left, retryMs * partOf(unchanged, random));
  }

  async #release(signal: AbortSignal): Promise<void> {
    const lease = await this.#store.read(signal);
    if (lease?.spec.holderIdentity !== this.#options.identity) return;
    await this.#store.replace(lease, released(lease.spec, this.#options.clock()), signal);
    this.#options.log.info('the lease was given back');
  }
}

/** What part of the pause is made before a lease is looked at again that was seen so often not to change. */
function partOf(unchanged: number, random: () => number): number {
  if (unchanged === 0) return BEFORE_RENEWAL;
  return unchanged <= SHORT_LOOKS ? SHORT : 0.5 + random() / 2;
}
