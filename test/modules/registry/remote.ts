import { backOff } from '../../../src/back-off.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { type RemoteOptions, remoteRegistry } from '../../../src/modules/remote/remote-registry.ts';

/** The adapter for registries on the network, with short pauses; `plainHttp` where TLS is not what a test is about. */
export function remote({
  plainHttp = [],
  ...options
}: Partial<Omit<RemoteOptions, 'plainHttp'>> & { plainHttp?: string[] }) {
  return remoteRegistry({
    exchange: createExchange(),
    credentials: async () => undefined,
    timeoutMs: 10_000,
    pause: backOff(1, 10, () => 0),
    clock: Date.now,
    now: () => performance.now(),
    ...options,
    plainHttp: new Set(plainHttp),
  });
}
