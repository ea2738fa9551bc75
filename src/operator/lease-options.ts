import type { KubeConfig } from '@kubernetes/client-node';
import type { FastifyBaseLogger } from 'fastify';
import type { Term } from './term.ts';

/** The times that client-go and controller-runtime take, in milliseconds. */
export const LEASE_DURATION_MS = 15_000;
export const RENEW_DEADLINE_MS = 10_000;
export const RETRY_MS = 2_000;

export interface LeaseOptions {
  config: KubeConfig;
  namespace: string;
  name?: string;
  /** Of this process, among all that may hold the lease. */
  identity: string;
  /** How long others wait after the holder renewed last; whole seconds. */
  durationMs?: number;
  /** How long after its last renewal the holder takes itself for the leader; shorter than `durationMs`. */
  renewDeadlineMs?: number;
  /** Pause between attempts; others than the holder take by chance as little as half of it. */
  retryMs?: number;
  onAcquired: (term: Term) => void;
  /** Called as soon as a term ends, and while no other process can hold the lease yet, unless it was taken away. */
  onLost: (reason: string) => void;
  /** Milliseconds since the epoch; only told to people, never compared. */
  clock: () => number;
  /** Milliseconds that never go back. */
  monotonic: () => number;
  /** From 0 up to, without, 1. */
  random: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}
