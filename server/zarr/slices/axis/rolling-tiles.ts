/**
 * Divides a slice into tiles for windows: parts that fit into memory, each with all positions along the axis of the
 * windows.
 */
import { sizeOf, stridesOf } from '../../bytes/shape.js';
import type { Block } from '../../dtype/data-type.js';
import { floatPieces } from '../../read/float-elements.js';
import type { Result } from '../../read/reduce/finish.js';
import { type RollingName, rollRows } from '../../read/rolling.js';
import type { DimSelection, Selection } from '../../selection/selection.js';

/** Maximum number of input elements held as float64. */
export const HELD_ELEMENTS = 4 * 2 ** 20;

export interface Tile {
  readonly selection: Selection;
  /** Index of its first element. */
  readonly start: readonly number[];
}

export function* tilesOf(shape: readonly number[], axis: number): Generator<Tile> {
  if (sizeOf(shape) === 0) return;
  const extents = [...shape];
  for (;;) {
    const largest = extents.reduce(
      (best, extent, d) => (d !== axis && extent > (extents[best] ?? 0) ? d : best),
      axis === 0 ? 1 : 0,
    );
    if (sizeOf(extents) <= HELD_ELEMENTS || (extents[largest] ?? 1) <= 1) break;
    extents[largest] = Math.ceil((extents[largest] ?? 1) / 2);
  }
  const start = shape.map(() => 0);
  for (;;) {
    const dims = start.map((first, d): DimSelection => ({
      kind: 'slice',
      start: first,
      stop: Math.min(shape[d] ?? 0, first + (extents[d] ?? 1)),
    }));
    yield { selection: { kind: 'dims', dims }, start: [...start] };
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      start[d] = (start[d] ?? 0) + (extents[d] ?? 1);
      if ((start[d] ?? 0) < (shape[d] ?? 0)) break;
      start[d] = 0;
    }
    if (d < 0) return;
  }
}

export interface TileWindows {
  readonly by: RollingName;
  readonly window: number;
  readonly after: number;
  readonly minCount: number;
  /** The positions along the axis that results are computed for. */
  readonly from: number;
  readonly to: number;
}

/**
 * @param first position of the tile's elements along the axis
 * @param strides of the result, in elements
 */
export function* rollTile(
  block: Block,
  { start }: Tile,
  axis: number,
  first: number,
  strides: readonly number[],
  windows: TileWindows,
  write: (slot: number, value: Result) => void,
): Generator<void> {
  const { shape } = block;
  const [count, stride] = [shape[axis] ?? 0, sizeOf(shape.slice(axis + 1))];
  const values = new Float64Array(sizeOf(shape));
  for (const piece of floatPieces(block)) {
    values.set(piece.values.subarray(0, piece.count), piece.start);
    yield;
  }
  const after = offsetsOf(shape.slice(axis + 1), start.slice(axis + 1), strides.slice(axis + 1));
  const before = offsetsOf(shape.slice(0, axis), start.slice(0, axis), strides.slice(0, axis));
  const along = strides[axis] ?? 0;
  for (let outer = 0; outer < before.length; outer++) {
    const from = outer * count * stride;
    const rows = { values: values.subarray(from, from + count * stride), stride, first, end: first + count };
    const offset = before[outer] ?? 0;
    yield* rollRows(rows, windows, (position, column, value) =>
      write(offset + (position - windows.from) * along + (after[column] ?? 0), value),
    );
    yield;
  }
}

/** The positions of the elements of a box, in C order. */
function offsetsOf(
  shape: readonly number[],
  start: readonly number[],
  strides: readonly number[],
): Float64Array {
  const own = stridesOf(shape);
  return Float64Array.from({ length: sizeOf(shape) }, (_, i) =>
    shape.reduce(
      (sum, size, d) => sum + ((Math.floor(i / (own[d] ?? 1)) % size) + (start[d] ?? 0)) * (strides[d] ?? 0),
      0,
    ),
  );
}
