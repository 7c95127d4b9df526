/**
 * Collects garbage before it exceeds the memory that is set aside for it. V8 collects when its heap grows, but most
 * memory of requests is outside of it, in array buffers, of which hundreds of megabytes may be garbage.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MemoryBudget } from './budget.js';

export interface GarbageOptions {
  /** Memory of the process. */
  readonly memoryBytes: number;
  /** The part of it that is set aside for garbage. */
  readonly garbageBytes: number;
}

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

/** Collections are this part of `garbageBytes` of released memory apart. */
const INTERVAL_SHARE = 1 / 8;
const MIN_INTERVAL_BYTES = 8 * 2 ** 20;
/** Resident size, as a part of the memory, from which young garbage is collected, and from which all is. */
const MINOR_SHARE = 0.5;
const MAJOR_SHARE = 0.65;

/**
 * Collects garbage when requests have released memory and the process is large. Young garbage takes milliseconds, so
 * that everything is collected only if that did not suffice.
 */
export function limitGarbage(
  memory: MemoryBudget,
  { memoryBytes, garbageBytes }: GarbageOptions,
  collect = exposedCollector(),
  residentBytes: () => number = () => process.memoryUsage.rss(),
): void {
  const interval = Math.max(MIN_INTERVAL_BYTES, garbageBytes * INTERVAL_SHARE);
  let released = 0;
  let isScheduled = false;
  memory.onRelease = (bytes) => {
    released += bytes;
    if (released < interval || isScheduled) return;
    released = 0;
    const resident = residentBytes();
    if (resident < memoryBytes * MINOR_SHARE) return;
    isScheduled = true;
    // Later, when the caller has dropped what it released.
    setImmediate(() => {
      isScheduled = false;
      collect({ type: resident < memoryBytes * MAJOR_SHARE ? 'minor' : 'major' });
    });
  };
}

/** Growth of memory in use, in bytes, after which garbage is collected while files are streamed. */
const STREAMED_BYTES = 8 * 2 ** 20;

/**
 * Collects young garbage while files are streamed: pieces that have been sent, and what their encoders used. V8 would let
 * it grow by 200 MB. A collection takes less than a millisecond (figures: bench/records.md, "Streams").
 */
export function limitStreamed(
  memory: MemoryBudget,
  collect = exposedCollector(),
  usedBytes: () => number = heapAndOutside,
): void {
  let least = usedBytes();
  let isScheduled = false;
  memory.onPassed = () => {
    if (isScheduled) return;
    const used = usedBytes();
    least = Math.min(least, used);
    if (used - least < STREAMED_BYTES) return;
    isScheduled = true;
    // Later, when the piece has been written.
    setImmediate(() => {
      collect({ type: 'minor' });
      least = usedBytes();
      isScheduled = false;
    });
  };
}

function heapAndOutside(): number {
  const { used_heap_size: used, external_memory: outside } = getHeapStatistics();
  return used + outside;
}

/** The function that V8 adds to new contexts on request. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return typeof collect === 'function'
    ? (options) => void Reflect.apply(collect, undefined, [options])
    : () => {};
}
