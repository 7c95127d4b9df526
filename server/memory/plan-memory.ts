/** Chooses the memory budget from the configuration and the machine, and creates it. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { MemoryBudget } from './budget.js';
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
export function planMemory(options: MemoryPlanOptions, machineBytes = machineMemoryBytes()): MemoryPlan {
  const leastBytes = leastRequestBytes(options);
  const maxBytes =
    options.requestMemoryBytes ??
    Math.max(leastBytes, defaultRequestMemoryBytes(machineBytes, options.cacheBytes));
  return { maxBytes, maxRequestBytes: maxRequestBytes(maxBytes, options), leastBytes, machineBytes };
}

export function createPlannedMemory(options: MemoryPlanOptions, plan = planMemory(options)): MemoryBudget {
  return new MemoryBudget({ ...plan, waitMs: options.memoryWaitMs });
}

// Memory available to this process: the limit of its control group, or the machine's memory.

/** Values of at least this size mean "no limit" in cgroup version 1. */
const UNLIMITED_BYTES = 2 ** 60;

/**
 * @param readText returns the text of a file, or undefined if it cannot be read; tests pass another function
 */
export function machineMemoryBytes(
  totalBytes: number = totalmem(),
  readText: (path: string) => string | undefined = readTextFile,
): number {
  const limits = limitFiles(readText('/proc/self/cgroup') ?? '').map((path) => parseLimit(readText(path)));
  return Math.min(totalBytes, ...limits.filter((limit) => limit !== undefined));
}

/**
 * The files with the limits of the groups and of all their parents, which apply too. In a container, the
 * limit of the container is usually at the root.
 */
function limitFiles(groups: string): string[] {
  return groups.split('\n').flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === '') return [];
    if (controllers === '')
      return ancestors(path).map((group) => join('/sys/fs/cgroup', group, 'memory.max'));
    return controllers.split(',').includes('memory')
      ? ancestors(path).map((group) => join('/sys/fs/cgroup/memory', group, 'memory.limit_in_bytes'))
      : [];
  });
}

function ancestors(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..');
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`).concat('/');
}

function parseLimit(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (!/^\d+$/.test(trimmed)) return undefined;
  const bytes = Number(trimmed);
  return bytes > 0 && bytes < UNLIMITED_BYTES ? bytes : undefined;
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
