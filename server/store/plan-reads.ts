/** Plans merged reads of ranges of one object. */
import type { ReadRequest } from './store.js';

export interface CoalesceBounds {
  /**
   * Maximum gap between two ranges, in bytes. The gap is read and discarded, because another request would
   * cost more.
   */
  readonly maxGapBytes: number;
  /** Maximum size of a merged request in bytes. A single range may be longer. */
  readonly maxMergedBytes: number;
}

/** One of the caller's requests, and the location of its bytes in the response. */
interface Member {
  readonly index: number;
  /** Offset from the start of the merged read. */
  readonly start: number;
  readonly length: number;
}

/** One request to send. Without `members`, it is the unchanged request of the caller at `index`. */
export type PlannedRead =
  | { readonly request: ReadRequest; readonly index: number; readonly members?: undefined }
  | { readonly request: ReadRequest; readonly members: readonly Member[] };

interface RangeOf {
  readonly index: number;
  readonly request: ReadRequest;
  readonly offset: number;
  readonly length: number;
}

/**
 * Merges ranges of the same object (and the same expected version) that are at most `maxGapBytes` apart,
 * possibly overlapping, up to `maxMergedBytes`. Whole objects, suffixes, empty ranges and revalidations are
 * not merged.
 */
export function planReads(requests: readonly ReadRequest[], bounds: CoalesceBounds): PlannedRead[] {
  const reads: PlannedRead[] = [];
  const objects = new Map<string, RangeOf[]>();
  for (const [index, request] of requests.entries()) {
    const { key, range, ifMatch, ifNoneMatch } = request;
    if (range === undefined || 'suffix' in range || range.length === 0 || ifNoneMatch !== undefined) {
      reads.push({ request, index });
      continue;
    }
    const object = ifMatch === undefined ? key : `${key}\0${ifMatch}`; // Keys cannot contain NUL.
    const ranges = objects.get(object);
    const entry = { index, request, offset: range.offset, length: range.length };
    if (ranges === undefined) objects.set(object, [entry]);
    else ranges.push(entry);
  }
  for (const ranges of objects.values()) planObject(ranges, bounds, reads);
  return reads;
}

function planObject(ranges: RangeOf[], bounds: CoalesceBounds, reads: PlannedRead[]): void {
  ranges.sort((a, b) => a.offset - b.offset);
  let group: RangeOf[] = [];
  let end = 0;
  for (const range of ranges) {
    const first = group[0];
    const newEnd = Math.max(end, range.offset + range.length);
    const joins =
      first !== undefined &&
      range.offset - end <= bounds.maxGapBytes &&
      newEnd - first.offset <= bounds.maxMergedBytes;
    if (!joins) {
      addGroup(group, end, reads);
      group = [];
    }
    group.push(range);
    end = joins ? newEnd : range.offset + range.length;
  }
  addGroup(group, end, reads);
}

function addGroup(group: readonly RangeOf[], end: number, reads: PlannedRead[]): void {
  const first = group[0];
  if (first === undefined) return;
  if (group.length === 1) {
    reads.push({ request: first.request, index: first.index });
    return;
  }
  const { offset } = first;
  reads.push({
    request: { ...first.request, range: { offset, length: end - offset } },
    members: group.map((range) => ({
      index: range.index,
      start: range.offset - offset,
      length: range.length,
    })),
  });
}
