/**
 * The use of each client over all replicas: a token bucket for cost, and the requests that are running. Each admission is
 * one script. A replica that has crashed releases its requests after `LEASE_MS`.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isList } from '../../wire/guards.js';
import type { RedisConnection } from './connection.js';
import { RedisError } from './redis-error.js';
import { redisScript } from './script.js';

export interface SharedBudgetOptions {
  /** Maximum number of concurrent requests of a client; 0 for no limit. */
  readonly maxClientRequests: number;
  /** Maximum cost of a client per minute in units; 0 for no limit. */
  readonly maxClientCost: number;
}

/** Why a request is not admitted. */
export type SharedRefusal =
  | { readonly limit: 'maxClientRequests'; readonly running: number }
  | { readonly limit: 'maxClientCost'; readonly left: number };

/** An answer of Redis. */
export interface SharedOutcome {
  /** Undefined if the request is admitted. */
  readonly refusal: SharedRefusal | undefined;
  /** Units that the client has left; undefined if its cost is not limited. */
  readonly left: number | undefined;
}

export interface SharedAdmission {
  /** Resolves with undefined if Redis is unavailable. */
  readonly outcome: Promise<SharedOutcome | undefined>;
  /** Charges further cost. */
  charge(units: number): void;
  end(): void;
}

export type SharedBudgets = ReturnType<typeof createSharedBudgets>;

/** Time after which a running request counts as ended if its replica has not renewed it. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const MINUTE_MS = 60_000;

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function left(cost)
  local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
  local units, at = tonumber(kept[1] or ''), tonumber(kept[2] or '')
  if not units or not at then return cost end
  return math.min(cost, units + math.max(0, now - at) * cost / ${MINUTE_MS})
end
local function keep(cost, units)
  redis.call('HSET', KEYS[1], 'left', string.format('%.6f', units), 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((cost - units) / cost * ${MINUTE_MS}) + 1000)
end`;

/** KEYS: bucket, running requests; ARGV: cost per minute, concurrent requests, units of a request, its id. */
const admit = redisScript(`${clock}
local cost, requests, units = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if requests > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  local running = redis.call('ZCARD', KEYS[2])
  if running >= requests then return {'maxClientRequests', tostring(running)} end
end
if cost > 0 then
  local units_left = left(cost)
  if units_left < units then return {'maxClientCost', string.format('%.6f', units_left)} end
  keep(cost, units_left - units)
end
if requests > 0 then
  redis.call('ZADD', KEYS[2], now + ${LEASE_MS}, ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ${LEASE_MS})
end
return {'', cost > 0 and string.format('%.6f', left(cost)) or ''}`);

/** KEYS: bucket; ARGV: cost per minute, units. */
const charge = redisScript(`${clock}
local cost = tonumber(ARGV[1])
keep(cost, left(cost) - tonumber(ARGV[2]))`);

/** KEYS: running requests; ARGV: ids of requests. */
const renew = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, id in ipairs(ARGV) do redis.call('ZADD', KEYS[1], 'XX', now + ${LEASE_MS}, id) end
redis.call('PEXPIRE', KEYS[1], ${LEASE_MS})`);

/**
 * @param secret without it, who reads the keys in Redis could find addresses and names of clients by trying them
 * @param units cost of each request
 */
export function createSharedBudgets(
  redis: RedisConnection,
  options: SharedBudgetOptions,
  secret: string,
  units: number,
) {
  const own = randomBytes(8).toString('base64url');
  let { maxClientRequests, maxClientCost } = options;
  let count = 0;
  /** Ids of the requests that are running in this replica, by the key of their client. */
  const running = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  function inBackground(sent: Promise<unknown>): void {
    sent.catch((error: unknown) => {
      // Without Redis, this replica uses its own buckets.
      if (!(error instanceof RedisError)) throw error;
    });
  }

  function renewAll(): void {
    for (const [key, ids] of running) inBackground(redis.runScript('renew', renew, [key], [...ids]));
  }

  function started(key: string, id: string): void {
    const ids = running.get(key) ?? new Set();
    running.set(key, ids.add(id));
    timer ??= setInterval(renewAll, RENEW_MS).unref();
  }

  function ended(key: string, id: string): void {
    const ids = running.get(key);
    ids?.delete(id);
    if (ids?.size === 0) running.delete(key);
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  async function ask(keys: readonly string[], id: string): Promise<SharedOutcome | undefined> {
    try {
      const reply = await redis.runScript('admit', admit, keys, [
        maxClientCost,
        maxClientRequests,
        units,
        id,
      ]);
      const [limit, value] = isList(reply) ? reply : [];
      if (limit === 'maxClientRequests')
        return { refusal: { limit, running: Number(value) }, left: undefined };
      const left = value === '' ? undefined : Number(value);
      return {
        refusal: limit === 'maxClientCost' ? { limit, left: Number(value) } : undefined,
        left,
      };
    } catch (error) {
      if (error instanceof RedisError) return undefined;
      throw error;
    }
  }

  return {
    /** Changes the limits from the next request on. The limits of the replica that admits a request count. */
    change(next: SharedBudgetOptions): void {
      ({ maxClientRequests, maxClientCost } = next);
    },
    admit(client: string): SharedAdmission {
      const digest = createHmac('sha256', secret).update(client).digest('base64url');
      const [bucket, requests] = [`${redis.prefix}:cost:${digest}`, `${redis.prefix}:running:${digest}`];
      const id = `${own}.${count++}`;
      const outcome = ask([bucket, requests], id);
      const isCounted = maxClientRequests > 0;
      if (isCounted) started(requests, id);
      return {
        outcome,
        charge(more) {
          if (maxClientCost > 0)
            inBackground(redis.runScript('charge', charge, [bucket], [maxClientCost, more]));
        },
        end() {
          if (!isCounted) return;
          ended(requests, id);
          // After the reply to its start, which would otherwise begin it again.
          inBackground(outcome.then(() => redis.run('end', (server) => server.zrem(requests, id))));
        },
      };
    },
    close: (): void => clearInterval(timer),
  };
}
