/** Chooses the memory budget from the configuration and the machine. */
import { machineMemoryBytes } from './machine-memory.js';
import { createProcessMemory, type ProcessMemory } from './process-memory.js';
import {
  defaultRequestMemoryBytes,
  leastRequestBytes,
  maxRequestBytes,
  type RequestBounds,
} from './sizes.js';

export interface MemoryPlanOptions extends RequestBounds {
  /** The configured value. */
  readonly requestMemoryBytes?: number | undefined;
  readonly memoryWaitMs: number;
  /** Size of all caches. */
  readonly cacheBytes: number;
}

export interface MemoryPlan {
  /** Memory of all requests together. */
  readonly maxBytes: number;
  /** Memory of one request. */
  readonly maxRequestBytes: number;
  /** Maximum memory of one request within the limits. */
  readonly leastBytes: number;
  readonly machineBytes: number;
}

/**
 * The default is at least the maximum of one request within the limits, so that even a small machine can
 * serve requests.
 */
export function planMemory(options: MemoryPlanOptions, machineBytes = machineMemoryBytes()): MemoryPlan {
  const leastBytes = leastRequestBytes(options);
  const maxBytes =
    options.requestMemoryBytes ??
    Math.max(leastBytes, defaultRequestMemoryBytes(machineBytes, options.cacheBytes));
  return { maxBytes, maxRequestBytes: maxRequestBytes(maxBytes, options), leastBytes, machineBytes };
}

export function createPlannedMemory(options: MemoryPlanOptions, plan = planMemory(options)): ProcessMemory {
  return createProcessMemory({ ...plan, waitMs: options.memoryWaitMs });
}
