/**
 * The names of everything that belongs to one stream. All carry the hash tag of the stream, so that in a cluster they lie
 * on its node, and scripts may use them together. https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
 */
export function redisKeys(stream: string) {
  const tag = /\{[^}]+\}/.exec(stream)?.[0] ?? `{${stream}}`;
  const prefix = `frontdesk:${tag}:`;
  return {
    stream,
    prefix,
    /**
     * Never there. While keys are on their way to another node of a cluster a command that needs this one too is answered
     * TRYAGAIN: a script that finds out by itself which keys it needs is not run where only some of them are.
     */
    absent: `${prefix}absent`,
    /** What is being written to the buckets, while it is. */
    unfinished: `${prefix}unfinished`,
    /** Hash: how far the stream is counted, and what was counted as other. */
    counted: `${prefix}counted`,
    /** Sorted set of the hours that have a bucket, each in minutes since the epoch. */
    hours: `${prefix}hours`,
    /** Sets of the labels that are counted by name. */
    systems: `${prefix}systems`,
    severities: `${prefix}severities`,
    /** Buckets: hashes from `<severity>\n<system>` to a count. */
    allTime: `${prefix}all`,
    minute: (minute: number) => `${prefix}minute:${minute}`,
    hour: (hour: number) => `${prefix}hour:${hour}`,
    /** What stands where a message with an idempotency key was stored: `<entry id> <expires, in milliseconds>`. */
    once: (key: string) => `${prefix}once:${key}`,
    /** Written to find out whether writes work. */
    probe: `${prefix}probe`,
    /** String: the last entry that stands in a search index. */
    indexed: (index: string) => `${prefix}indexed:${index}`,
    /** The search document of an entry. */
    document: (id: string) => `${prefix}document:${id}`,
  };
}
export type RedisKeys = ReturnType<typeof redisKeys>;
