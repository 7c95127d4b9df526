/**
 * Divides a slice into tiles for windows: parts that fit into memory, each with all positions along the axis of the
 * windows.
 */
import { defined } from '../../../wire/guards.js';
import { indicesOf, sizeOf } from '../../core/bytes/shape.js';
import type { Block, DataType } from '../../core/dtype/data-type.js';
import type { LazySlice } from '../lazy-slice.js';
import { chunkSizeAlong } from '../split-slice.js';
import { floatPieces } from '../../compute/float-elements.js';
import type { Result } from '../../compute/kernel.js';
import { widen, PIECE } from '../../compute/number-planes.js';
import type { Floats, WindowReduction, Windows } from '../../compute/rolling/rolling.js';
import type { DimSelection, Selection } from '../../format/selection/selection.js';

/** Maximum number of input elements held as float64. */
export const HELD_ELEMENTS = 4 * 2 ** 20;

export interface Tile {
  readonly selection: Selection;
  /** Index of the first element of the tile. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** Divides a slice into tiles of whole chunks, if these are small enough. @param axis axis of the windows */
export function* rollingTiles(
  { shape, origin, dims: along }: Pick<LazySlice, 'shape' | 'origin' | 'dims'>,
  axis: number,
): Generator<Tile> {
  if (sizeOf(shape) === 0) return;
  const extents = [...shape];
  for (;;) {
    const largest = extents.reduce(
      (best, extent, d) => (d !== axis && extent > defined(extents[best]) ? d : best),
      axis === 0 ? 1 : 0,
    );
    if (sizeOf(extents) <= HELD_ELEMENTS || (extents[largest] ?? 1) <= 1) break;
    const half = Math.ceil((extents[largest] ?? 1) / 2);
    const chunk = along[largest]?.step === 1 ? (chunkSizeAlong({ origin }, largest) ?? 1) : 1;
    extents[largest] = half > chunk ? half - (half % chunk) : half;
  }
  for (const tile of indicesOf(shape.map((size, d) => Math.ceil(size / (extents[d] ?? 1))))) {
    const start = tile.map((index, d) => index * (extents[d] ?? 1));
    const dims = start.map((first, d): DimSelection => ({
      kind: 'slice',
      start: first,
      stop: Math.min(defined(shape[d]), first + (extents[d] ?? 1)),
    }));
    const own = start.map((first, d) => Math.min(extents[d] ?? 1, defined(shape[d]) - first));
    yield { selection: { kind: 'dims', dims }, start, shape: own };
  }
}

interface TileWindows extends Windows {
  readonly reduction: WindowReduction;
  /** One for each position along the axis. */
  readonly weights: Float64Array | undefined;
}

/** The destination of results. */
export interface TileResult {
  /** A typed array if the results are floats at an aligned address, which need no conversion. */
  readonly floats: Floats | undefined;
  write(slot: number, value: Result): void;
}

/** What all tiles of a read share. */
export interface TileRolling {
  readonly axis: number;
  /** Position, along the axis, of the first element of each tile. */
  readonly first: number;
  readonly windows: TileWindows;
  readonly result: TileResult;
  /** Strides of the result, in elements. */
  readonly strides: readonly number[];
  readonly memory: TileMemory;
}

export function* rollTile(
  block: Block,
  { start }: Tile,
  { axis, first, windows: { reduction, ...windows }, result, strides, memory }: TileRolling,
): Generator<void> {
  const { shape } = block;
  const [count, stride] = [defined(shape[axis]), sizeOf(shape.slice(axis + 1))];
  const after = columnsOf(shape.slice(axis + 1), start.slice(axis + 1), strides.slice(axis + 1));
  const before = offsetsOf(shape.slice(0, axis), start.slice(0, axis), strides.slice(0, axis));
  const along = defined(strides[axis]);
  const isWords = usesWords(reduction, block.dtype);
  const values = isWords ? undefined : yield* floatsOf(block, memory);
  const [upper = empty, lower = empty] = isWords ? yield* wordsOf(block) : [];
  for (let outer = 0; outer < before.length; outer++) {
    const from = outer * count * stride;
    const to = from + count * stride;
    const weights = windows.weights?.subarray(first, first + count);
    const span = { stride, first, end: first + count, weights };
    const offset = defined(before[outer]);
    const rowAt = (position: number): number => offset + (position - windows.from) * along;
    const put = (position: number, column: number, results: Float64Array): void => {
      const row = rowAt(position);
      forEachRun(after, column, results.length, (offset, at, length) => {
        if (result.floats !== undefined) putFloats(result.floats, row + offset, results, at, length);
        else
          for (let c = 0; c < length; c++) {
            const value = results[at + c] ?? NaN;
            result.write(row + offset + c, value === value ? value : undefined);
          }
      });
    };
    if (isWords && reduction.rollWords !== undefined) {
      const words = { ...span, upper: upper.subarray(from, to), lower: lower.subarray(from, to), isSigned: block.dtype.name === 'int64' };
      yield* reduction.rollWords(words, windows, (position, column, value) =>
        forEachRun(after, column, 1, (offset) => result.write(rowAt(position) + offset, value)),
      );
    } else yield* reduction.roll({ ...span, values: (values ?? empty).subarray(from, to) }, windows, put);
    yield;
  }
} // prettier-ignore

/** Whether results are computed exactly from the words of 64-bit integers, instead of from floats. */
export function usesWords({ rollWords }: WindowReduction, { name }: DataType): boolean {
  return (name === 'int64' || name === 'uint64') && rollWords !== undefined;
}

const empty = new Float64Array(0);

/** The positions of the columns of a tile in the result: runs of neighbours. */
interface Columns {
  /** The position of the first column of each run. */
  readonly starts: Float64Array;
  /** Columns per run. */
  readonly length: number;
}

function columnsOf(shape: readonly number[], start: readonly number[], strides: readonly number[]): Columns {
  const length = shape.at(-1) ?? 1;
  return {
    starts: offsetsOf([...shape.slice(0, -1), ...shape.slice(-1).map(() => 1)], start, strides),
    length,
  };
}

/** @param visit receives the position of neighbouring columns in the result, the first of them, and their number */
function forEachRun(
  { starts, length }: Columns,
  column: number,
  count: number,
  visit: (offset: number, at: number, length: number) => void,
): void {
  for (let at = 0; at < count;) {
    const run = Math.floor((column + at) / length);
    const within = column + at - run * length;
    const own = Math.min(length - within, count - at);
    visit(defined(starts[run]) + within, at, own);
    at += own;
  }
}

/** Minimum number of values that `set` copies faster than a loop. */
const LONG = 32;

function putFloats(to: Floats, start: number, values: Float64Array, from: number, count: number): void {
  if (count >= LONG) to.set(values.subarray(from, from + count), start);
  else for (let i = 0; i < count; i++) to[start + i] = values[from + i] ?? NaN;
}

/**
 * Memory for the numbers of one tile at a time. It is reused, because the garbage collector would release new
 * memory for each tile late.
 */
interface TileMemory {
  numbers: Float64Array;
}

/** The elements as a typed array; undefined if they are other numbers, or their address is not aligned. */
export function floatsIn(bytes: Uint8Array, { name, itemSize }: DataType): Floats | undefined {
  if ((name !== 'float32' && name !== 'float64') || bytes.byteOffset % (itemSize ?? 1) !== 0)
    return undefined;
  const count = bytes.length / (itemSize ?? 1);
  return name === 'float32'
    ? new Float32Array(bytes.buffer, bytes.byteOffset, count)
    : new Float64Array(bytes.buffer, bytes.byteOffset, count);
}

function* floatsOf(block: Block, memory: TileMemory): Generator<void, Floats, void> {
  const stored = 'bytes' in block ? floatsIn(block.bytes, block.dtype) : undefined;
  if (stored !== undefined) return stored;
  const size = sizeOf(block.shape);
  if (memory.numbers.length < size) memory.numbers = new Float64Array(size);
  const values = memory.numbers;
  for (const piece of floatPieces(block)) {
    values.set(piece.values.subarray(0, piece.count), piece.start);
    yield;
  }
  return values;
}

/** Splits 64-bit integers into upper and lower halves. */
function* wordsOf(block: Block): Generator<void, [Float64Array, Float64Array], void> {
  if (!('bytes' in block)) throw new TypeError('expected the 64-bit integers of a tile as bytes');
  const bytes = block.bytes.byteOffset % 8 === 0 ? block.bytes : new Uint8Array(block.bytes);
  const size = sizeOf(block.shape);
  const [upper, lower] = [new Float64Array(size), new Float64Array(size)];
  for (let start = 0; start < size; start += PIECE) {
    const count = Math.min(PIECE, size - start);
    const values = { bytes: bytes.subarray(8 * start, 8 * (start + count)) };
    const [high, low = empty] = widen({ values, count }, block.dtype).planes;
    upper.set(high.subarray(0, count), start);
    lower.set(low.subarray(0, count), start);
    yield;
  }
  return [upper, lower];
}

/** The positions of the elements of a box, in C order. */
function offsetsOf(
  shape: readonly number[],
  start: readonly number[],
  strides: readonly number[],
): Float64Array {
  const first = start.reduce((sum, index, d) => sum + index * defined(strides[d]), 0);
  return shape.reduce((offsets, size, d) => {
    const stride = defined(strides[d]);
    const next = new Float64Array(offsets.length * size);
    for (let i = 0, at = 0; i < offsets.length; i++)
      for (let k = 0; k < size; k++) next[at++] = defined(offsets[i]) + k * stride;
    return next;
  }, Float64Array.of(first));
}
