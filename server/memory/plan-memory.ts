/** Chooses the memory budget from the configuration and the machine, and creates it. */
import { MemoryBudget } from './budget.js';
import {
  defaultRequestMemoryBytes,
  leastRequestBytes,
  maxRequestBytes,
  type RequestBounds,
} from './sizes.js';
import { machineMemory } from './machine-memory.js';

export interface MemoryPlanOptions extends RequestBounds {
  /** The configured value. */
  readonly requestMemoryBytes?: number | undefined;
  readonly memoryWaitMs: number;
  /** Total size of all caches. */
  readonly cacheBytes: number;
}

export interface MemoryPlan {
  /** Memory of all requests together. */
  readonly maxBytes: number;
  /** Maximum memory of one request. */
  readonly maxRequestBytes: number;
  /** Memory that suffices for a request within the limits, with chunks of ordinary size. */
  readonly leastBytes: number;
  readonly machineBytes: number;
}

/**
 * The default is at least `leastBytes`, so that even a small machine can
 * serve requests.
 */
export function planMemory(options: MemoryPlanOptions, machineBytes = machineMemory().bytes): MemoryPlan {
  const leastBytes = leastRequestBytes(options);
  const maxBytes =
    options.requestMemoryBytes ??
    Math.max(leastBytes, defaultRequestMemoryBytes(machineBytes, options.cacheBytes));
  return { maxBytes, maxRequestBytes: maxRequestBytes(maxBytes, options), leastBytes, machineBytes };
}

export function createPlannedMemory(options: MemoryPlanOptions, plan = planMemory(options)): MemoryBudget {
  return new MemoryBudget({ ...plan, waitMs: options.memoryWaitMs });
}
