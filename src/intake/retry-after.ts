/** When to send again what could not be enqueued: longer than a restart of the store, shorter than a sender's patience. */
export const RETRY_AFTER_SECONDS = 5;

export const retryAfter = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
