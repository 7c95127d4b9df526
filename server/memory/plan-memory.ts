/** Decides how much memory requests may hold, from the configuration and the machine. */
import { machineMemoryBytes } from './machine-memory.js';
import { createProcessMemory, type ProcessMemory } from './process-memory.js';
import {
  defaultRequestMemoryBytes,
  leastRequestBytes,
  maxRequestBytes,
  type RequestBounds,
} from './sizes.js';

export interface MemoryPlanOptions extends RequestBounds {
  /** As configured. */
  readonly requestMemoryBytes?: number | undefined;
  readonly memoryWaitMs: number;
  /** Of everything that is kept between requests. */
  readonly cacheBytes: number;
}

export interface MemoryPlan {
  /** Of all requests together. */
  readonly maxBytes: number;
  /** Of one request. */
  readonly maxRequestBytes: number;
  /** What a request within the limits may need. */
  readonly leastBytes: number;
  readonly machineBytes: number;
}

/** By default never less than one request within the limits needs: a machine that is too small should serve one. */
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
