import tap from 'tap';
import { startRedis } from '../../redis/redis-server.ts';
import { redisearch } from '../../redis/redisearch.ts';
import { storeContract } from '../message-store.contract.ts';
import { redisStores, standaloneClient, standaloneTarget } from './open-redis-store.ts';

// The server outlives the tests of the contract, and ends with this file.
const server = await startRedis(tap, redisearch === undefined ? {} : { loadmodule: redisearch });

storeContract(
  'redis',
  redisStores(standaloneTarget(server), () => standaloneClient(server)),
  redisearch === undefined ? 'RediSearch is not installed' : undefined,
);
