import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ApiCallRecord } from '../kubernetes/audit-log.ts';

const LeaseBody = Type.Object({ spec: Type.Object({ holderIdentity: Type.String() }) });

/** A write of our lease that succeeded; the API server has one of its own. */
export interface LeaseWrite extends ApiCallRecord {
  /** Empty when it was given back. */
  holder: string;
}

export function leaseWrites(calls: readonly ApiCallRecord[]): LeaseWrite[] {
  return calls
    .filter(({ resource, name, code }) => resource === 'leases' && name === 'frontdesk' && code < 300)
    .map((call) => ({ ...call, holder: Value.Parse(LeaseBody, call.body).spec.holderIdentity }));
}

/** What only a leader writes, whether the API server took it or not. */
export function leaderWrites(calls: readonly ApiCallRecord[]): ApiCallRecord[] {
  return calls.filter(({ resource }) => resource === 'claimtemplates/status' || resource === 'events');
}

/**
 * Writes that came from somebody else than the holder of the lease, or from a holder that had not renewed it for
 * `deadlineMs`. A term begins when the API server has answered the holder, and ends when it receives the next one's write.
 */
export function writesOutOfTerm(calls: readonly ApiCallRecord[], deadlineMs: number): ApiCallRecord[] {
  const leases = leaseWrites(calls);
  return leaderWrites(calls).filter((write) => {
    const last = leases.findLast(({ received }) => received <= write.received);
    if (last === undefined || last.user !== write.user || last.holder === '') return true;
    const held = last.answered <= write.received || leases[leases.indexOf(last) - 1]?.user === write.user;
    return !held || write.received - last.received > deadlineMs * 1000;
  });
}
