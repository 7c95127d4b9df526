/** A store wrapper that reads nearby ranges of an object with one request. */
import { throwIfAborted } from '../core/errors.js';
import { assertRequest } from './checks.js';
import type { KeyStore, ReadRequest, ReadResult } from './store.js';
import { wrapStore } from './wrap.js';
import { type CoalesceBounds, planReads } from './plan-reads.js';

/** Bounds for disks, where a request takes tens of microseconds. */
export const localBounds: CoalesceBounds = { maxGapBytes: 4096, maxMergedBytes: 4 * 2 ** 20 };

/** Bounds for networks, where a request takes milliseconds, in which hundreds of kilobytes arrive. */
export const remoteBounds: CoalesceBounds = { maxGapBytes: 256 * 1024, maxMergedBytes: 16 * 2 ** 20 };

/**
 * Wraps a store so that ranges close to each other are read together and split afterwards. The parts share
 * memory. `planReads` decides which ranges are merged.
 */
export function withCoalescing(store: KeyStore, bounds: CoalesceBounds): KeyStore {
  return wrapStore(store, {
    getMany: (requests, each, options) =>
      requests.length < 2 || areOfDifferentObjects(requests)
        ? store.getMany(requests, each, options)
        : readTogether(requests, each, options),
    ...(store.locate === undefined ? {} : { locate: store.locate }),
    ...(store.stage === undefined ? {} : { stage: store.stage }),
  });

  async function readTogether(...[requests, each, options]: Parameters<KeyStore['getMany']>): Promise<void> {
    for (const request of requests) assertRequest(request);
    const maxBytes = options?.maxBytes;
    const maxMergedBytes = Math.min(bounds.maxMergedBytes, maxBytes ?? Number.POSITIVE_INFINITY);
    const reads = planReads(requests, { ...bounds, maxMergedBytes });
    await store.getMany(
      reads.map((read) => read.request),
      (at, result) => {
        const read = reads[at];
        if (read === undefined) return;
        if (read.members === undefined) each(read.index, result);
        else
          for (const { index, start, length } of read.members) {
            each(index, cut(result, start, length));
            throwIfAborted(options?.signal);
          }
      },
      options,
    );
  }
}

/** Whether no two requests for ranges are of one object. May be false for requests of which none can be merged. */
function areOfDifferentObjects(requests: readonly ReadRequest[]): boolean {
  let keys: Set<string> | undefined;
  for (const { key, range, ifNoneMatch } of requests) {
    if (ifNoneMatch !== undefined || range === undefined) continue;
    keys ??= new Set();
    if (keys.has(key)) return false;
    keys.add(key);
  }
  return true;
}

/** Extracts the result of one range from a merged read. If the object ends earlier, the result is shorter. */
function cut(result: ReadResult, start: number, length: number): ReadResult {
  if (result === undefined || result === 'unchanged') return result;
  return { ...result, bytes: result.bytes.subarray(start, start + length) };
}
