import { type V1LeaseSpec, V1MicroTime } from '@kubernetes/client-node';

/** What a holder writes into a lease that it takes or renews; as client-go does. */
export function heldBy(
  identity: string,
  before: V1LeaseSpec | undefined,
  { durationMs, now }: { durationMs: number; now: number },
): V1LeaseSpec {
  const time = new V1MicroTime(now);
  const isRenewal = before?.holderIdentity === identity;
  const transitions = before?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: (isRenewal ? before.acquireTime : undefined) ?? time,
    renewTime: time,
    leaseTransitions: before === undefined || isRenewal ? transitions : transitions + 1,
  };
}

/** What a holder writes into a lease that it gives back, so that the next need not wait. */
export function released(before: V1LeaseSpec, now: number): V1LeaseSpec {
  const time = new V1MicroTime(now);
  return {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: before.leaseTransitions ?? 0,
  };
}
