/** What connects the replicas of a gateway, by the option `redis`. */
import type { Config } from '../config.js';
import { connectReplicas, type Replicas } from '../gateway/replicas.js';
import type { Metrics } from '../http/metrics.js';
import { REQUEST_UNITS } from '../http/rate-limits.js';
import type { RedisConnection } from '../redis/connection.js';
import { linkKeysOf } from '../redis/link-keys.js';
import { createSharedBudgets, type SharedBudgets } from '../redis/shared-budgets.js';
import type { ProcessLog } from './logger.js';

export interface OpenedReplicas {
  /** Undefined without the option, like the next two. */
  readonly redis: RedisConnection | undefined;
  readonly replicas: Replicas | undefined;
  readonly budgets: SharedBudgets | undefined;
  readonly hrefKeys: readonly string[];
  close(): void;
}

export async function openReplicas(
  config: Config,
  metrics: Metrics,
  { logger }: ProcessLog,
): Promise<OpenedReplicas> {
  const hrefKeys = linkKeysOf(config);
  const { redis: url, redisPrefix: prefix, redisTimeoutMs: timeoutMs } = config;
  if (url === undefined)
    return { redis: undefined, replicas: undefined, budgets: undefined, hrefKeys, close() {} };
  if (hrefKeys.length === 0)
    logger.warn({}, 'links of this replica are not valid at others: set hrefKeys or redisPassword');
  // The package of the client is loaded only by gateways that use Redis.
  const { connectRedis } = await import('../redis/connection.js');
  const { redisPassword: password, redisCertificates: certificates } = config;
  const redis = await connectRedis(
    { url, password, certificates, prefix, timeoutMs },
    { metrics: metrics.redis, log: logger },
  );
  metrics.watchRedis(() => redis.failure === undefined);
  const replicas = await connectReplicas(redis, {
    waitMs: timeoutMs,
    documentBytes: config.automaticDocumentBytes,
    resultBytes: config.redisResultBytes,
    // Not a derived key: who knows the password could sign results with it.
    keys: config.hrefKeys,
  });
  const budgets = createSharedBudgets(redis, config, hrefKeys.at(-1) ?? prefix, REQUEST_UNITS);
  return {
    redis,
    replicas,
    budgets,
    hrefKeys,
    close() {
      budgets.close();
      redis.close();
    },
  };
}
