/**
 * Divides a slice into boxes that are computed separately. Boxes consist of whole chunks, unless a
 * chunk is too large. Pure.
 */
import { defined } from '../../wire/guards.js';
import { sizeOf } from '../core/bytes/shape.js';
import type { LazySlice } from './lazy-slice.js';
import { rowsToChunkEnd } from './split-slice.js';
import type { DimSelection, Selection } from '../format/selection/selection.js';

/**
 * Chunk lengths along an axis: elements up to the end of the first chunk, and elements of each later chunk.
 */
export interface AxisChunks {
  readonly first: number;
  readonly each: number;
}

export interface Box {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** How a slice is divided into boxes. */
export interface BoxGrid {
  readonly shape: readonly number[];
  readonly chunks: readonly AxisChunks[];
  /** The shape of a box. */
  readonly lengths: readonly number[];
}

export function isSameGrid(a: BoxGrid, b: BoxGrid): boolean {
  if (a.shape.length !== b.shape.length) return false;
  return a.shape.every((size, axis) => {
    const [own, other] = [defined(a.chunks[axis]), defined(b.chunks[axis])];
    if (size !== b.shape[axis] || a.lengths[axis] !== b.lengths[axis]) return false;
    return own.first === other.first && own.each === other.each;
  });
}

/** Target size in bytes of a box of several chunks. */
const BOX_BYTES = 8 * 2 ** 20;
/** Maximum size of a box in bytes. Larger chunks are divided, and read again for each box. */
export const MAX_BOX_BYTES = 64 * 2 ** 20;

/** The chunks along each axis of a slice. Without known chunks, the whole axis counts as one. */
export function chunksAlong(slice: Pick<LazySlice, 'origin' | 'shape' | 'dims'>): AxisChunks[] {
  return slice.shape.map((size, axis) => rowsToChunkEnd(slice, axis, 0) ?? { first: size, each: size });
}

/** @param elementBytes total bytes per element of all inputs and the result */
export function boxLengths(
  shape: readonly number[],
  chunks: readonly AxisChunks[],
  elementBytes: number,
): number[] {
  const lengths = shape.map((size, axis) => Math.min(size, chunks[axis]?.each ?? size));
  const bytes = (): number => sizeOf(lengths) * elementBytes;
  // Boxes grow along the last axes first, where neighbours are closest in memory.
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const [size = 1, length = 1] = [shape[axis], lengths[axis]];
    const times = Math.floor(BOX_BYTES / Math.max(1, bytes()));
    if (times > 1 && length > 0) lengths[axis] = Math.min(size, length * times);
  }
  for (let axis = 0; axis < shape.length; axis++) {
    const shares = Math.ceil(bytes() / MAX_BOX_BYTES);
    if (shares > 1) lengths[axis] = Math.max(1, Math.ceil((lengths[axis] ?? 1) / shares));
  }
  return lengths;
}

/** The boxes in C order; none for a shape without elements. */
export function* boxesOfShape(
  shape: readonly number[],
  chunks: readonly AxisChunks[],
  lengths: readonly number[],
): Generator<Box> {
  if (shape.includes(0)) return;
  const runs = shape.map((size, axis) => runsAlong(size, chunks[axis], lengths[axis] ?? 1));
  yield* boxesFrom(runs, [], []);
}

function* boxesFrom(
  runs: readonly (() => Iterable<readonly [number, number]>)[],
  start: readonly number[],
  shape: readonly number[],
): Generator<Box> {
  const next = runs[start.length];
  if (next === undefined) yield { start, shape };
  else for (const [from, length] of next()) yield* boxesFrom(runs, [...start, from], [...shape, length]);
}

/**
 * Starts and lengths of the runs that an axis is divided into. Runs end at chunk boundaries, unless a chunk is longer
 * than a run.
 */
function runsAlong(
  size: number,
  chunks: AxisChunks | undefined,
  length: number,
): () => Generator<readonly [number, number]> {
  const { first = length, each = length } = chunks ?? {};
  const isCut = length < size && length >= each;
  const later = isCut ? Math.floor(length / each) * each : length;
  const opening = isCut ? first + Math.floor(Math.max(0, length - first) / each) * each : length;
  return function* () {
    for (let from = 0; from < size;) {
      const to = Math.min(size, from === 0 ? opening : from + later);
      yield [from, to - from];
      from = to;
    }
  };
}

/** The box as a selection along the given axes, in their order. */
export function selectionIn({ start, shape }: Box, axes: readonly number[]): Selection {
  const dims = axes.map((axis): DimSelection => {
    const from = defined(start[axis]);
    return { kind: 'slice', start: from, stop: from + (shape[axis] ?? 1) };
  });
  return { kind: 'dims', dims };
}
