/**
 * Rate limits for each client: concurrent requests, and cost per minute by a token bucket. A request's cost
 * is known only once it is planned, so a request is admitted while budget remains, and any overspend delays
 * the next one.
 */
import { LRUCache } from 'lru-cache';
import type { OperationCost } from '../gateway/options.js';
import type { SharedBudgets, SharedRefusal } from '../redis/shared-budgets.js';
import type { Problem } from './problem.js';

export interface TokenBucketOptions {
  /** Maximum number of concurrent requests; 0 for no limit. */
  readonly maxClientRequests: number;
  /** Maximum cost per minute in units; 0 for no limit. */
  readonly maxClientCost: number;
}

/** An admitted request. */
export interface Admission {
  /** Set if replicas share the limits: resolves with the reason why all replicas together do not admit the request. */
  readonly refusal?: Promise<Problem | undefined> | undefined;
  /** Absent if the use of clients is not limited. */
  charge?(units: number): void;
  /** Call this when the request has ended. */
  end(): void;
}

interface Client {
  running: number;
  /** Units left in the bucket at `at`; negative after an overspend. */
  left: number;
  at: number;
}

/** Maximum number of tracked clients. Dropping the least recently used client refills its bucket. */
const MAX_CLIENTS = 20_000;
const MINUTE_MS = 60_000;
/** Base cost of a request in units. */
export const REQUEST_UNITS = 1;

/**
 * Additional cost of an operation in units: one per MiB decoded or reduced, one per 2^20 operations on elements (both
 * take about a millisecond), and one per 1000 response fields.
 */
export function unitsOf({ decodedBytes, reducedBytes, work, fields }: OperationCost): number {
  return unitsOfBytes(decodedBytes + reducedBytes + work) + fields / 1000;
}

export function unitsOfBytes(bytes: number): number {
  return bytes / 2 ** 20;
}

/**
 * @param now a monotonic clock in milliseconds
 * @param shared the limits over all replicas. Those of this process hold, too, and alone if Redis is unavailable
 */
export function createTokenBuckets(
  options: TokenBucketOptions,
  now: () => number = () => performance.now(),
  shared?: Pick<SharedBudgets, 'admit'>,
) {
  let { maxClientRequests, maxClientCost } = options;
  const clients = new LRUCache<string, Client>({ max: MAX_CLIENTS });

  function clientOf(key: string): Client {
    const known = clients.get(key);
    if (known === undefined) {
      const client = { running: 0, left: maxClientCost, at: now() };
      clients.set(key, client);
      return client;
    }
    const at = now();
    known.left = Math.min(maxClientCost, known.left + ((at - known.at) / MINUTE_MS) * maxClientCost);
    known.at = at;
    return known;
  }

  function tooManyRequests(running: number): Problem {
    return limitExceeded('maxClientRequests', maxClientRequests, running + 1, 1, 'concurrent requests');
  }

  function tooMuchCost(left: number): Problem {
    const missing = REQUEST_UNITS - left;
    return limitExceeded(
      'maxClientCost',
      maxClientCost,
      Math.ceil(maxClientCost + missing),
      Math.ceil((missing / maxClientCost) * 60),
      'units of cost per minute',
    );
  }

  function problemOf(refusal: SharedRefusal | undefined): Problem | undefined {
    if (refusal === undefined) return undefined;
    return refusal.limit === 'maxClientRequests'
      ? tooManyRequests(refusal.running)
      : tooMuchCost(refusal.left);
  }

  return {
    /** Changes the limits from the next request on. What clients have used of their cost remains used. */
    change(next: TokenBucketOptions): void {
      for (const client of clients.values()) {
        const used = maxClientCost === 0 ? 0 : maxClientCost - client.left;
        client.left = next.maxClientCost - used;
      }
      ({ maxClientRequests, maxClientCost } = next);
    },
    /** @param client `name NAME` or `address IP` */
    admit(key: string): Admission | Problem {
      const client = clientOf(key);
      if (maxClientRequests > 0 && client.running >= maxClientRequests)
        return tooManyRequests(client.running);
      if (maxClientCost > 0 && client.left < REQUEST_UNITS) return tooMuchCost(client.left);
      client.running += 1;
      client.left -= REQUEST_UNITS;
      let ended = false;
      const everywhere = shared?.admit(key);
      const refusal = everywhere?.outcome.then((outcome) => {
        // If Redis becomes unavailable, this process continues with what it has left over all replicas.
        if (outcome?.left !== undefined) client.left = Math.min(client.left, outcome.left);
        return problemOf(outcome?.refusal);
      });
      return {
        refusal,
        charge(units) {
          client.left -= units;
          everywhere?.charge(units);
        },
        end() {
          if (ended) return;
          client.running -= 1;
          ended = true;
          everywhere?.end();
        },
      };
    },
  };
}

function limitExceeded(
  limit: string,
  allowed: number,
  needed: number,
  seconds: number,
  unit: string,
): Problem {
  return {
    status: 429,
    code: 'LIMIT_EXCEEDED',
    message: `rate limit exceeded: ${limit} allows ${allowed} ${unit}; retry in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
    extensions: { limit, allowed, needed, retryAfterSeconds: seconds },
  };
}
