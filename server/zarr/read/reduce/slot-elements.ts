/** The number of input elements of each result. Pure. */
import { type AxisMap, mappedAxes, mappedLength } from './axis-map.js';
import { groupSizes } from './groups.js';

/** @returns the number of elements of a result, including missing ones, by its index in C order */
export function elementCounter(
  maps: readonly AxisMap[],
  lengths: readonly number[],
): (slot: number) => number {
  let each = 1;
  const varying: ((slot: number) => number)[] = [];
  mappedAxes(maps, lengths).forEach(({ map, resultStride }, d) => {
    const length = lengths[d] ?? 1;
    if (map.kind === 'all') each *= length;
    const sizeOf = sizesAlong(map, length);
    if (sizeOf === undefined) return;
    const count = mappedLength(map, length);
    varying.push((slot) => sizeOf(Math.floor(slot / resultStride) % count));
  });
  return (slot) => varying.reduce((product, sizeOf) => product * sizeOf(slot), each);
}

/** Undefined if the number is the same for all results along the axis. */
function sizesAlong(map: AxisMap, length: number): ((k: number) => number) | undefined {
  switch (map.kind) {
    case 'keep':
    case 'all':
      return undefined;
    case 'blocks':
      return (k) => Math.min(map.size, length - k * map.size);
    case 'spans':
      return (k) => (map.starts[k + 1] ?? 0) - (map.starts[k] ?? 0);
    case 'groups': {
      const sizes = groupSizes(map);
      return (k) => sizes[k] ?? 0;
    }
  }
}
