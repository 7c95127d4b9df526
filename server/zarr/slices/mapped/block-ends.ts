/**
 * Where to divide results that are computed from groups or blocks of positions, so that few chunks are read for the
 * results on both sides. Pure.
 */
import type { BlockEnd, LazySlice } from '../lazy-slice.js';
import type { AxisMap } from '../../read/reduce/axis-map.js';
import type { GroupsMap } from '../../read/reduce/groups.js';
import { chunkSizeAlong } from '../split-slice.js';

/** Maximum number of ends that are compared. */
const MAX_COMPARED = 65_536;

/**
 * @param d index of the dimension of the input
 * @returns undefined if the chunks of the positions are not known
 */
export function blockEndsAlong(input: LazySlice, map: AxisMap, d: number): BlockEnd | undefined {
  const [chunk, { start, step } = {}] = [chunkSizeAlong(input, d), input.dims[d]];
  if (chunk === undefined || start === undefined || step === undefined) return undefined;
  const chunkOf = (position: number): number => Math.floor((start + position * step) / chunk);
  if (map.kind === 'groups') {
    const shared = chunksShared(map, chunkOf);
    return endBy((end) => shared[end] ?? 0);
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

/** For each group: the number of chunks with members of both earlier groups and this one or later ones. */
function chunksShared({ of, count }: GroupsMap, chunkOf: (position: number) => number): Int32Array {
  const changes = new Int32Array(count + 2);
  let [chunk, first, last] = [NaN, -1, -1];
  const endChunk = (): void => {
    if (first < 0) return;
    changes[first + 1] = (changes[first + 1] ?? 0) + 1;
    changes[last + 1] = (changes[last + 1] ?? 0) - 1;
    first = -1;
  };
  of.forEach((group, position) => {
    if (chunkOf(position) !== chunk) {
      endChunk();
      chunk = chunkOf(position);
    }
    if (group < 0) return;
    [first, last] = first < 0 ? [group, group] : [Math.min(first, group), Math.max(last, group)];
  });
  endChunk();
  for (let group = 1; group < changes.length; group++)
    changes[group] = (changes[group] ?? 0) + (changes[group - 1] ?? 0);
  return changes;
}
