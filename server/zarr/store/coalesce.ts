/** Plans which ranges of one object are read together. Pure. */
import type { ReadRequest } from './store.js';

export interface CoalesceBounds {
  /** Bytes between two ranges that are rather read and thrown away than cost a request of their own. */
  readonly maxGapBytes: number;
  /** Bytes of one request that was put together; a single range may be longer. */
  readonly maxMergedBytes: number;
}

/** A place in the caller's list of requests, and where its bytes lie in the answer. */
export interface Member {
  readonly index: number;
  /** Bytes from the start of the read. */
  readonly start: number;
  readonly length: number;
}

/** One request to send. Without `members` it is the caller's own at `index`, passed on as it is. */
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
 * Merges ranges of the same object (and the same expected version) that lie closer together than `maxGapBytes`, may
 * overlap, and stay within `maxMergedBytes`. Whole objects, suffixes, empty ranges and questions of freshness pass.
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
    const object = ifMatch === undefined ? key : `${key}\0${ifMatch}`; // no key holds a NUL
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
