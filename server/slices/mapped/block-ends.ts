/** Decides where to divide results that are computed from groups or blocks of positions, so that few chunks are read for the results on both sides. */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere } from '../../core/bytes/search.js';
import type { LazySlice, BlockEnd } from '../lazy-slice.js';
import { groupOf, type AxisMap } from '../../compute/axis-map.js';
import type { GroupsMap } from '../../compute/groups.js';
import { chunkSizeAlong } from '../split-slice.js';

/** Maximum number of possible ends that are compared. */
const MAX_COMPARED = 65_536;

/**
 * @param d index of the dimension of the input
 * @returns undefined if the axis has neither groups nor blocks, or if the chunks of the positions are not known
 */
export function blockEndsAlong(input: LazySlice, map: AxisMap, d: number): BlockEnd | undefined {
  const [chunk, { start, step } = {}] = [chunkSizeAlong(input, d), input.dims[d]];
  if (chunk === undefined || start === undefined || step === undefined) return undefined;
  const chunkOf = (position: number): number => Math.floor((start + position * step) / chunk);
  if (map.kind === 'groups') {
    const shared = chunksShared(map, chunkOf);
    return endBy((end) => defined(shared[end]));
  }
  if (map.kind === 'spans') {
    const { starts } = map;
    return endBy((end) => (chunkOf(defined(starts[end])) === chunkOf(defined(starts[end]) - 1) ? 1 : 0));
  }
  if (map.kind !== 'blocks') return undefined;
  return endBy((end) => (chunkOf(end * map.size) === chunkOf(end * map.size - 1) ? 1 : 0));
}

/** @param sharedAt number of chunks with members on both sides of an end */
function endBy(sharedAt: (end: number) => number): BlockEnd {
  return (from, least, most) => {
    const stop = Math.min(from + most, from + least + MAX_COMPARED);
    for (let end = from + least; end <= stop; end++) if (sharedAt(end) === 0) return end;
    let [best, fewest] = [from + most, Infinity];
    const lowest = Math.max(from + 1, from + least - MAX_COMPARED);
    for (let end = from + least - 1; end >= lowest; end--) if (sharedAt(end) === 0) return end;
    for (let end = from + most; end > Math.max(from + most / 2, from + most - MAX_COMPARED); end--) {
      if (sharedAt(end) >= fewest) continue;
      [best, fewest] = [end, sharedAt(end)];
    }
    return best;
  };
}

/**
 * The number of chunks, for each group, that have members of earlier groups and members of this group or
 * later ones.
 */
function chunksShared(map: GroupsMap, chunkOf: (position: number) => number): Int32Array {
  const changes = new Int32Array(map.count + 2);
  const { length } = map.of;
  for (let position = 0; position < length;) {
    const end = endOfChunk(position, length, chunkOf);
    let [first, last] = [-1, -1];
    for (; position < end; position++) {
      const group = groupOf(map, position);
      if (group < 0) continue;
      if (first < 0 || group < first) first = group;
      if (group > last) last = group;
    }
    if (first < 0) continue;
    changes[first + 1] = defined(changes[first + 1]) + 1;
    changes[last + 1] = defined(changes[last + 1]) - 1;
  }
  for (let group = 1; group < changes.length; group++)
    changes[group] = defined(changes[group]) + defined(changes[group - 1]);
  return changes;
}

/** The first position after `position` that is in another chunk: neighbouring positions are in neighbouring chunks. */
function endOfChunk(position: number, length: number, chunkOf: (position: number) => number): number {
  const own = chunkOf(position);
  let [low, width] = [position, 1];
  while (low + width < length && chunkOf(low + width) === own) [low, width] = [low + width, 2 * width];
  return firstIndexWhere(low + 1, Math.min(length, low + width), (i) => chunkOf(i) !== own);
}
