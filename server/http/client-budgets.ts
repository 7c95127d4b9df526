/**
 * What clients may take of the gateway, so that one of them leaves something to the others: requests at the same time,
 * and cost over time. A bucket of cost runs full again within a minute. What a request costs is known only when it has
 * been planned, so a request is let in while there is something left, and what it takes too much is waited for by the
 * next one.
 */
import { LRUCache } from 'lru-cache';
import type { OperationCost } from '../gateway/options.js';
import type { Problem } from './problem.js';

export interface ClientBudgetOptions {
  /** 0 for any number. */
  readonly maxClientRequests: number;
  /** Units a minute; 0 for any cost. */
  readonly maxClientCost: number;
}

/** A request that was let in. */
export interface Admission {
  charge(units: number): void;
  /** The request has ended. */
  end(): void;
}

export interface ClientBudgets {
  /** @param client by what clients are told apart */
  admit(client: string): Admission | Problem;
}

interface Client {
  running: number;
  /** What is left of the bucket at `at`; negative after too much. */
  left: number;
  at: number;
}

/** Clients that are remembered; whoever has not asked for longest is forgotten, which fills their bucket. */
const maxClients = 20_000;
const minuteMs = 60_000;
/** Of every request, whatever it asks. */
export const requestUnits = 1;

/** What an operation takes beside that: one unit for each MiB decoded and for each 1000 fields of the answer. */
export function unitsOf({ decodedBytes, fields }: OperationCost): number {
  return unitsOfBytes(decodedBytes) + fields / 1000;
}

export function unitsOfBytes(bytes: number): number {
  return bytes / 2 ** 20;
}

/** @param now milliseconds that only grow */
export function createClientBudgets(
  { maxClientRequests, maxClientCost }: ClientBudgetOptions,
  now: () => number = () => performance.now(),
): ClientBudgets {
  const clients = new LRUCache<string, Client>({ max: maxClients });

  function clientOf(key: string): Client {
    const known = clients.get(key);
    if (known === undefined) {
      const made = { running: 0, left: maxClientCost, at: now() };
      clients.set(key, made);
      return made;
    }
    const at = now();
    known.left = Math.min(maxClientCost, known.left + ((at - known.at) / minuteMs) * maxClientCost);
    known.at = at;
    return known;
  }

  return {
    admit(key) {
      const client = clientOf(key);
      if (maxClientRequests > 0 && client.running >= maxClientRequests)
        return tooMuch(
          'maxClientRequests',
          maxClientRequests,
          client.running + 1,
          1,
          'requests at the same time',
        );
      if (maxClientCost > 0 && client.left < requestUnits) {
        const missing = requestUnits - client.left;
        const seconds = Math.ceil((missing / maxClientCost) * 60);
        return tooMuch(
          'maxClientCost',
          maxClientCost,
          Math.ceil(maxClientCost + missing),
          seconds,
          'units of cost a minute',
        );
      }
      client.running += 1;
      client.left -= requestUnits;
      let ended = false;
      return {
        charge(units) {
          client.left -= units;
        },
        end() {
          if (!ended) client.running -= 1;
          ended = true;
        },
      };
    },
  };
}

function tooMuch(limit: string, allowed: number, needed: number, seconds: number, what: string): Problem {
  return {
    status: 429,
    code: 'LIMIT_EXCEEDED',
    message: `this client asks too much: ${limit} allows ${allowed} ${what}; try again in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
    extensions: { limit, allowed, needed, retryAfterSeconds: seconds },
  };
}
