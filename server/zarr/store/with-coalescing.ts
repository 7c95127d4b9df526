/** A store that reads near ranges of one object by one request. */
import { throwIfAborted } from '../errors.js';
import { planReads } from './coalesce.js';
import type { CoalesceBounds } from './coalesce.js';
import { assertRequest } from './conditions.js';
import type { KeyStore, ReadAnswer } from './store.js';
import { wrapStore } from './wrap.js';

/** For disks: a request costs tens of microseconds. */
export const localBounds: CoalesceBounds = { maxGapBytes: 4096, maxMergedBytes: 4 * 2 ** 20 };

/** For networks: a request costs milliseconds, in which hundreds of kilobytes arrive. */
export const remoteBounds: CoalesceBounds = { maxGapBytes: 256 * 1024, maxMergedBytes: 16 * 2 ** 20 };

/**
 * Wraps a store so that ranges lying close together are read at once and handed out in parts. The parts share their
 * memory. Which they are is planned by `planReads`.
 */
export function withCoalescing(store: KeyStore, bounds: CoalesceBounds): KeyStore {
  return wrapStore(store, {
    getMany: (requests, each, options) =>
      requests.length < 2 ? store.getMany(requests, each, options) : readTogether(requests, each, options),
    ...(store.locate === undefined ? {} : { locate: store.locate }),
  });

  async function readTogether(...[requests, each, options]: Parameters<KeyStore['getMany']>): Promise<void> {
    for (const request of requests) assertRequest(request);
    const maxBytes = options?.maxBytes;
    const maxMergedBytes = Math.min(bounds.maxMergedBytes, maxBytes ?? Number.POSITIVE_INFINITY);
    const reads = planReads(requests, { ...bounds, maxMergedBytes });
    await store.getMany(
      reads.map((read) => read.request),
      (at, answer) => {
        const read = reads[at];
        if (read === undefined) return;
        if (read.members === undefined) each(read.index, answer);
        else
          for (const { index, start, length } of read.members) {
            each(index, cut(answer, start, length));
            throwIfAborted(options?.signal);
          }
      },
      options,
    );
  }
}

/** The answer to one range from that to several. What the object lacks at its end is missing here too. */
function cut(answer: ReadAnswer, start: number, length: number): ReadAnswer {
  if (answer === undefined || answer === 'unchanged') return answer;
  return { ...answer, bytes: answer.bytes.subarray(start, start + length) };
}
