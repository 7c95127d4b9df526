/** The result of a reduction in parts, each of a part of the input that can be held. Pure. */
import { sizeOf } from './bytes/shape.js';
import { chargedItemBytes } from './dtype/charged-bytes.js';
import type { LazySlice } from './lazy-slice.js';
import { mappedShape, type AxisMap } from './read/reduce/axis-map.js';
import type { DimSelection, Selection } from './selection/selection.js';
import { chunkSizeAlong } from './split-slice.js';

export interface ResultPart {
  /** Of the input: the elements that the part is made of. */
  readonly selection: Selection;
  /** Index of its first result. */
  readonly start: readonly number[];
  /** Whether it takes no more than can be held; else it is a single result. */
  readonly isHeld: boolean;
}

/** What a value of variable length is taken for. */
const VARIABLE_BYTES = 64;

/** @param maps 'keep', 'all' or 'blocks' */
export function* partsOfResult(
  input: LazySlice,
  maps: readonly AxisMap[],
  heldBytes: number,
): Generator<ResultPart> {
  const counts = mappedShape(maps, input.shape);
  if (sizeOf(counts) === 0) return;
  const axes = maps.flatMap((map, d) =>
    map.kind === 'all' ? [] : [{ map, d, length: input.shape[d] ?? 1 }],
  );
  const itemBytes = input.dtype.itemSize === null ? VARIABLE_BYTES : chargedItemBytes(input.dtype);
  const fixed = sizeOf(maps.map((map, d) => (map.kind === 'all' ? (input.shape[d] ?? 1) : 1))) * itemBytes;
  const bytesOf = (extents: readonly number[]): number =>
    axes.reduce(
      (product, { map, length }, i) => product * elementsAlong(map, extents[i] ?? 1, length),
      fixed,
    );
  const extents = fittingExtents(input, axes, counts, bytesOf, heldBytes);
  const isHeld = bytesOf(extents) <= heldBytes;
  const start = counts.map(() => 0);
  for (;;) {
    const dims = maps.map((): DimSelection => ({ kind: 'slice' }));
    axes.forEach(({ map, d }, i) => {
      const [first, size] = [start[i] ?? 0, map.kind === 'blocks' ? map.size : 1];
      dims[d] = {
        kind: 'slice',
        start: first * size,
        stop: Math.min(input.shape[d] ?? 0, (first + (extents[i] ?? 1)) * size),
      };
    });
    yield { selection: { kind: 'dims', dims }, start: [...start], isHeld };
    let d = counts.length - 1;
    for (; d >= 0; d--) {
      start[d] = (start[d] ?? 0) + (extents[d] ?? 1);
      if ((start[d] ?? 0) < (counts[d] ?? 0)) break;
      start[d] = 0;
    }
    if (d < 0) return;
  }
}

interface Axis {
  readonly map: AxisMap;
  readonly d: number;
  readonly length: number;
}

function elementsAlong(map: AxisMap, results: number, length: number): number {
  return Math.min(length, map.kind === 'blocks' ? results * map.size : results);
}

/** Results along each axis: of whole chunks if that can be, so that few are decoded twice. */
function fittingExtents(
  input: LazySlice,
  axes: readonly Axis[],
  counts: readonly number[],
  bytesOf: (extents: readonly number[]) => number,
  heldBytes: number,
): number[] {
  const extents = axes.map(({ map, d }, i) => {
    const [count, step] = [counts[i] ?? 1, Math.abs(input.dims[d]?.step ?? 1)];
    const chunk = chunkSizeAlong(input, d);
    if (chunk === undefined) return count;
    return Math.min(count, Math.max(1, Math.floor(chunk / step / (map.kind === 'blocks' ? map.size : 1))));
  });
  for (;;) {
    const largest = extents.reduce((best, extent, i) => (extent > (extents[best] ?? 0) ? i : best), 0);
    if (bytesOf(extents) <= heldBytes || (extents[largest] ?? 1) <= 1) break;
    extents[largest] = Math.ceil((extents[largest] ?? 1) / 2);
  }
  for (let i = extents.length - 1; i >= 0; i--) {
    const whole = (): number[] => extents.with(i, Math.min(counts[i] ?? 1, 2 * (extents[i] ?? 1)));
    while ((extents[i] ?? 1) < (counts[i] ?? 1) && bytesOf(whole()) <= heldBytes)
      extents[i] = whole()[i] ?? 1;
  }
  return extents;
}
