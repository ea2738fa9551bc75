/** Where Debian's package redis-redisearch puts the module. */
export const redisearchFile = '/usr/lib/redis/modules/redisearch.so';
