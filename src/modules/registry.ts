import type { Digest } from './digest.ts';
import type { Reference } from './reference.ts';

/** What the registry says of a manifest; nothing of it is believed before the bytes are verified. */
export interface Descriptor {
  mediaType: string;
  digest: Digest;
  /** Bytes. */
  size: number;
}

/**
 * Where artifacts come from. An adapter only finds and carries bytes: limits, sizes and digests are enforced by
 * `readVerified`, in one place for all adapters. Content may be handed out in chunks of any size.
 * Its failures are `ModuleError('unavailable')`: not reachable, not readable, and `AbsentError` where it has no such thing.
 * What `signal` ends fails so too; an adapter that asks others has time limits of its own beside it.
 */
export interface ModuleRegistry {
  /** The manifest, or index of manifests, that the reference stands for at this moment. */
  resolve(reference: Reference, signal?: AbortSignal): Promise<Descriptor>;
  manifest(reference: Reference, digest: Digest, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  blob(reference: Reference, digest: Digest, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}
