/** What the replicas of a gateway share in Redis. */
import type { RedisConnection } from '../redis/connection.js';
import { createSharedDocuments, type SharedDocuments } from '../redis/shared-documents.js';
import { createSharedNames, type SharedNames } from '../redis/shared-names.js';
import { createSharedResults, type SharedResults } from '../redis/shared-results.js';
import type { ChangeBus } from '../resolvers/changes/change-bus.js';
import { createRedisChangeBus } from '../resolvers/changes/redis-change-bus.js';
import { version } from './version.js';

export interface Replicas {
  readonly changeBus: ChangeBus;
  readonly documents?: SharedDocuments | undefined;
  readonly results?: SharedResults | undefined;
  /** The names of the nodes of a store. */
  readonly namesOf?: ((identity: string) => SharedNames) | undefined;
}

export interface ReplicasOptions {
  /** Maximum time to wait for Redis, in ms. */
  readonly waitMs: number;
  /** Of documents that clients persist. @default none are shared */
  readonly documentBytes?: number | undefined;
  /** Of results. @default none are shared */
  readonly resultBytes?: number | undefined;
  /** Secrets that are not in Redis, which sign results. Without them, none are shared. */
  readonly keys?: readonly string[] | undefined;
}

export async function connectReplicas(
  redis: RedisConnection,
  { waitMs, documentBytes = 0, resultBytes = 0, keys = [] }: ReplicasOptions,
): Promise<Replicas> {
  return {
    changeBus: await createRedisChangeBus(redis, waitMs),
    documents: documentBytes === 0 ? undefined : createSharedDocuments(redis, documentBytes),
    namesOf: (identity) => createSharedNames(redis, identity),
    results: createSharedResults(redis, { maxBytes: resultBytes, keys, version }),
  };
}
