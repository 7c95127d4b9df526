/** What the replicas of a gateway share in Redis. */
import type { RedisConnection } from '../redis/connection.js';
import type { ChangeBus } from '../resolvers/changes/change-bus.js';
import { createRedisChangeBus } from '../resolvers/changes/redis-change-bus.js';

export interface Replicas {
  readonly changeBus: ChangeBus;
}

/** @param waitMs maximum time to wait for Redis */
export async function connectReplicas(redis: RedisConnection, waitMs: number): Promise<Replicas> {
  return { changeBus: await createRedisChangeBus(redis, waitMs) };
}
