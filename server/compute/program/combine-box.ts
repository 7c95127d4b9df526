/** Combines blocks in memory by a program, one run of elements at a time. */
import { indicesOf, sizeOf, stridesAlong, stridesOf } from '../../core/bytes/shape.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import type { Block } from '../../core/dtype/data-type.js';

/** Combines one run of elements at a time, in private memory. */
export interface Combiner {
  /**
   * Computes the elements of the result. Yields every few tenths of a millisecond.
   * @param inputs `count` elements of each input, aligned to their types
   * @param out `count` elements of the result
   */
  run(inputs: readonly Uint8Array[], count: number, out: Uint8Array): Generator<void>;
}

/** The values of an input in a box, with their stride in bytes along each axis of the box. */
interface Laid {
  readonly bytes: Uint8Array;
  readonly itemSize: number;
  readonly strides: readonly number[];
  /** Whether the values have the layout of the result, so that no copy is needed. */
  readonly isAligned: boolean;
}

/** Number of runs that are combined at once if no input must be copied. */
const FLAT_RUNS = 16;

/**
 * @param inputs axes of the box for the dimensions of each input, in any order
 * @param blocks values of the box, one block per input
 * @param out elements of the box in C order
 * @param run maximum elements per run; more if no input must be copied
 */
export function* combineBox(
  inputs: readonly { readonly axes: readonly number[] }[],
  blocks: readonly Block[],
  shape: readonly number[],
  combiner: Combiner,
  run: number,
  out: { readonly bytes: Uint8Array; readonly itemSize: number },
): Generator<void> {
  const laid = blocks.map((block, k) => layOut(block, inputs[k]?.axes ?? [], shape));
  const isFlat = laid.every(({ isAligned }) => isAligned);
  const copies = laid.map(({ isAligned, itemSize }) => new Uint8Array(isAligned ? 0 : run * itemSize));
  for (const slab of isFlat ? slabsOf([sizeOf(shape)], FLAT_RUNS * run) : slabsOf(shape, run)) {
    const { from, count } = slab;
    const values = laid.map((input, k) => {
      const { bytes, itemSize, isAligned } = input;
      if (isAligned) return bytes.subarray(from * itemSize, (from + count) * itemSize);
      const copy = copies[k] ?? new Uint8Array(0);
      gather(input, slab, copy);
      return copy;
    });
    const { bytes, itemSize } = out;
    yield* combiner.run(values, count, bytes.subarray(from * itemSize, (from + count) * itemSize));
  }
}

function layOut(block: Block, axes: readonly number[], shape: readonly number[]): Laid {
  if (!('bytes' in block)) throw new TypeError('values of variable length cannot be combined');
  const { itemSize } = block.dtype;
  const strides = stridesAlong(axes, stridesOf(block.shape, itemSize), shape.length);
  const result = stridesOf(shape, itemSize);
  const isAligned = shape.every((length, axis) => length === 1 || strides[axis] === result[axis]);
  // Copies the values to an aligned address if necessary, so that typed arrays can view them.
  const bytes = block.bytes.byteOffset % 8 === 0 ? block.bytes : new Uint8Array(block.bytes);
  return { bytes, itemSize, strides, isAligned };
}

/** A run of consecutive elements of a box: whole rows of some axis. */
interface Slab {
  /** Position of the first element in C order. */
  readonly from: number;
  readonly count: number;
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

function* slabsOf(shape: readonly number[], run: number): Generator<Slab> {
  let [axis, inner] = [shape.length, 1];
  while (axis > 0 && inner * shape[axis - 1] <= run) inner *= shape[--axis];
  const whole = shape.slice(axis);
  const zeros = whole.map(() => 0);
  if (axis === 0) {
    yield { from: 0, count: inner, start: zeros, shape: whole };
    return;
  }
  const length = shape[axis - 1];
  const most = Math.max(1, Math.floor(run / inner));
  // Divides the axis into approximately equal parts.
  const rows = Math.ceil(length / Math.ceil(length / most));
  const outer = shape.slice(0, axis - 1);
  const ones = outer.map(() => 1);
  let from = 0;
  for (const index of indicesOf(outer)) {
    for (let row = 0; row < length; row += rows) {
      const taken = Math.min(rows, length - row);
      const count = taken * inner;
      yield { from, count, start: [...index, row, ...zeros], shape: [...ones, taken, ...whole] };
      from += count;
    }
  }
}

function gather({ bytes, itemSize, strides }: Laid, { start, shape }: Slab, to: Uint8Array): void {
  const begin = start.reduce((sum, position, axis) => sum + position * strides[axis], 0);
  const own = stridesOf(shape, itemSize);
  const dims = shape.map((count, axis) => ({ count, from: strides[axis], to: own[axis] }));
  copyStrided(bytes, begin, to, 0, dims, itemSize);
}
