/**
 * Slices whose values depend on others along one dimension, such as cumulative sums and ranks. Read in boxes: along the
 * dimension piece after piece, if a kernel can continue from the rows before, otherwise as a whole.
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import { destination } from '../../core/bytes/values.js';
import { fixedItemSize, type Block } from '../../core/dtype/data-type.js';
import { throwIfAborted } from '../../core/errors.js';
import { defaultLimits } from '../../core/limits.js';
import { createPause } from '../../core/turns.js';
import {
  type AlongKernel,
  type AlongMemory,
  alongNumbers,
  bytesOfNumbers,
  createAlongMemory,
  createNumbers,
  resultsIn,
} from '../../compute/along/along.js';
import type { MadeDim } from '../../compute/made-dim.js';
import type { PlanCost } from '../../format/plan/cost.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import { countOf, positionAt } from '../../format/selection/selection.js';
import { alongAxis, type AxisView, chosenPart, selectView, wholeView } from '../axis-view.js';
import { type AxisChunks, type Box, boxesOfShape, boxLengths, chunksAlong } from '../boxes.js';
import { ComputedSlice, framedAs, type SliceFrame } from '../computed-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';
import { mappedOrigin, relativeTo, wholeDim } from '../mapped-origin.js';
import { OneState } from '../one-state.js';
import { pickSlice } from '../picked-slice.js';
import { createBlockMemory } from '../stream-slice.js';
import { isWholeAxis } from './anomaly-variance.js';
import { foldBoxes, type ValuesOfBox } from './fold-boxes.js';
import { hullOf } from './rolling-slice.js';

/** A dimension of results that are not at the positions of the input. */
export interface OwnDim {
  readonly name: string | null;
  /** Undefined without labels. */
  readonly dim: MadeDim | undefined;
}

/**
 * Computes along an axis. Reads nothing.
 * @param made the dimension of the results, if they are not at the positions of the input
 */
export function alongSlice(slice: LazySlice, axis: number, kernel: AlongKernel, made?: OwnDim): LazySlice {
  return new AlongSlice(wholeView(slice, axis), kernel, made);
}

class AlongSlice extends ComputedSlice {
  readonly #view: AxisView;
  readonly #kernel: AlongKernel;
  readonly #made: OwnDim | undefined;
  readonly #input: LazySlice;
  readonly #work: AlongWork;

  /** @param view view of consecutive positions, ascending; of all of them with `made` */
  constructor(view: AxisView, kernel: AlongKernel, made: OwnDim | undefined) {
    const work = workOn(view, kernel);
    const { input } = work;
    super(frameOf(view, kernel, made), [input]);
    this.#view = view;
    this.#kernel = kernel;
    this.#made = made;
    this.#input = input;
    this.#work = work;
  }

  /** Parts along the axis compute what precedes them again. */
  override get isReadWhole(): boolean {
    return typeof this.#kernel.reach !== 'function' || super.isReadWhole;
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    if (resolved.kind === 'points') return pickSlice(this, resolved);
    const { axis } = this.#view;
    const chosen =
      this.#made === undefined ? resolved.dims : resolved.dims.with(axis, wholeDim(this.#work.count));
    const inner = selectView(this.#view, chosen);
    const run = hullOf(inner.chosen);
    const hull = new AlongSlice({ ...inner, chosen: run }, this.#kernel, this.#made);
    const along = this.#made === undefined ? relativeTo(run.start, inner.chosen) : defined(resolved.dims[axis]); // prettier-ignore
    if (
      along.kind === 'range' &&
      along.step === 1 &&
      !along.dropped &&
      along.count === hull.shape[inner.axis]
    )
      return hull;
    const dims = hull.shape.map((size, d) => (d === inner.axis ? along : wholeDim(size)));
    return pickSlice(hull, { kind: 'box', dims });
  }

  cost(): PlanCost {
    const read = this.#input.cost();
    const { lengths, elementBytes } = this.#work;
    const { size, work } = this.#kernel;
    const outputBytes = sizeOf(this.shape) * fixedItemSize(this.dtype);
    const columns = sizeOf(lengths.with(this.#view.axis, 1));
    const values = sizeOf(this.#input.shape) + (size === undefined ? 0 : sizeOf(this.shape));
    return {
      ...read,
      work: read.work + values * work,
      outputBytes,
      allocatedBytes: outputBytes,
      intermediateBytes:
        read.intermediateBytes +
        sizeOf(lengths) * elementBytes +
        columns * (STATE_BYTES + resultBytes(this.#kernel)),
    };
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const { shape } = this;
    const { dtype } = this.#kernel;
    const { itemSize } = dtype;
    const bytes = destination(out, sizeOf(shape) * itemSize);
    const strides = stridesOf(shape, itemSize);
    for await (const { box, values } of computedBoxes(this.#work, this, options)) {
      const own = stridesOf(box.shape, itemSize);
      const to = box.start.reduce((sum, position, d) => sum + position * defined(strides[d]), 0);
      const dims = box.shape.map((count, d) => ({ count, from: defined(own[d]), to: defined(strides[d]) }));
      copyStrided(values, 0, bytes, to, dims, itemSize);
    }
    return { dtype, shape, bytes };
  }

  override get fold(): LazySlice['fold'] {
    if (!isWholeAxis(this.#view)) return undefined;
    const boxes = (options: SliceFoldOptions): AsyncIterable<ValuesOfBox> =>
      computedBoxes(this.#work, this, options);
    return (fold, options) => foldBoxes(this, this.#kernel.dtype, boxes, fold, options);
  }
}

/** The memory of a column between two pieces, in bytes. */
const STATE_BYTES = 32;

/** The memory of the results of a column, in bytes, if their number is not that of the positions. */
function resultBytes({ size = 0, dtype }: AlongKernel): number {
  return size * (Float64Array.BYTES_PER_ELEMENT + fixedItemSize(dtype));
}

function frameOf(view: AxisView, kernel: AlongKernel, made: OwnDim | undefined): SliceFrame {
  const { dtype } = kernel;
  const part = chosenPart(view);
  if (made === undefined) return framedAs(part, { dtype });
  const { axis } = view;
  const size = kernel.size ?? defined(part.shape[axis]);
  const maps = part.shape.map((_, d) =>
    d === axis ? ({ kind: 'groups', of: noGroups, count: size, made: made.dim } as const) : ({ kind: 'keep' } as const),
  ); // prettier-ignore
  const dim = { name: made.name, size, chunks: undefined, start: undefined, step: undefined };
  return framedAs(part, {
    dtype,
    shape: part.shape.with(axis, size),
    origin: mappedOrigin(part, maps, undefined),
    dims: part.dims.with(axis, dim),
  });
}

const noGroups = new Int32Array(0);

interface AlongWork {
  readonly kernel: AlongKernel;
  readonly axis: number;
  /** The positions that the results need. */
  readonly input: LazySlice;
  /** Position of the first element of the input along the axis. */
  readonly first: number;
  /** Number of positions of the axis. */
  readonly count: number;
  /** The positions of the results; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly chunks: readonly AxisChunks[];
  /** The shape of a box. */
  readonly lengths: readonly number[];
  readonly elementBytes: number;
}

function workOn({ source, axis, chosen }: AxisView, kernel: AlongKernel): AlongWork {
  const count = defined(source.shape[axis]);
  const { reach, size } = kernel;
  const from = size !== undefined || countOf(chosen) === 0 ? 0 : positionAt(chosen, 0);
  const to = from + (size ?? countOf(chosen));
  const [first, stop] =
    to === from ? [0, 0] : typeof reach === 'function' ? reach(from, to, count) : [0, reach === 'before' ? to : count]; // prettier-ignore
  const input = source.select({ kind: 'dims', dims: alongAxis(axis, { kind: 'slice', start: first, stop }) });
  const elementBytes = fixedItemSize(source.dtype) + 16 + fixedItemSize(kernel.dtype);
  const chunks = chunksAlong(input);
  const whole = stop - first;
  const columnBytes = elementBytes * Math.max(1, whole) + resultBytes(kernel);
  const lengths =
    reach === 'before'
      ? boxLengths(input.shape, chunks, elementBytes)
      : boxLengths(input.shape.with(axis, 1), chunks, columnBytes).with(axis, whole);
  return { kernel, axis, input, first, count, from, to, chunks, lengths, elementBytes };
}

async function* computedBoxes(
  work: AlongWork,
  slice: LazySlice,
  { signal, ...options }: SliceFoldOptions,
): AsyncGenerator<ValuesOfBox> {
  const { kernel, axis, input, chunks, lengths, from, to } = work;
  const limits = options.limits ?? input.inputs[0]?.array.context.limits ?? defaultLimits;
  const state = new OneState(slice, options);
  const reading = {
    ...options,
    signal,
    onVersion: state.onVersion,
    // A box is intermediate, not output (see `cost`).
    limits: { ...limits, maxOutputBytes: Math.max(limits.maxOutputBytes, sizeOf(lengths) * fixedItemSize(input.dtype)) }, // prettier-ignore
  };
  const pause = createPause();
  const memory = createAlongMemory();
  const blocks = createBlockMemory();
  const one = { first: 1, each: 1 };
  const length = defined(input.shape[axis]);
  for (const tile of boxesOfShape(
    input.shape.with(axis, to === from ? 0 : 1),
    chunks.with(axis, one),
    lengths.with(axis, 1),
  )) {
    // prettier-ignore
    const outer = tile.shape.slice(0, axis);
    const columns = sizeOf(tile.shape.slice(axis + 1));
    const runs = Array.from({ length: sizeOf(outer) }, () => kernel.start(columns));
    const pieces = boxesOfShape([length], [chunks[axis] ?? one], [defined(lengths[axis])]);
    // Results may need no positions: far lags have only missing values.
    for (const piece of length === 0 ? [{ start: [0], shape: [0] }] : pieces) {
      const [start, rows] = [defined(piece.start[0]), defined(piece.shape[0])];
      const box = { start: tile.start.with(axis, start), shape: tile.shape.with(axis, rows) };
      const dims = box.start.map((at, d) => ({ kind: 'slice' as const, start: at, stop: at + defined(box.shape[d]) })); // prettier-ignore
      const part = input.select({ kind: 'dims', dims });
      const block = await part.read({ ...reading, ...blocks.outFor(part) });
      state.assertUnchanged();
      const first = work.first + start;
      const range = kernel.reach === 'before' ? { from: first, to: first + rows } : { from, to };
      const results = resultsIn(memory, kernel.dtype, sizeOf(tile.shape) * (range.to - range.from));
      for (const _ of computeBox({ block, runs, columns, first, rows, results, range, memory })) {
        await pause();
        throwIfAborted(signal);
      }
      // Rows before the first result were only read for what they contribute.
      if (range.to <= from) continue;
      yield placed({ ...range, results, memory, tile, axis, columns, outer: runs.length }, work);
    }
  }
}

interface BoxParts {
  readonly block: Block;
  readonly runs: readonly ReturnType<AlongKernel['start']>[];
  readonly columns: number;
  readonly first: number;
  readonly rows: number;
  readonly results: ReturnType<typeof createNumbers>;
  readonly memory: AlongMemory;
  readonly range: { readonly from: number; readonly to: number };
}

function* computeBox({
  block,
  runs,
  columns,
  first,
  rows,
  results,
  range,
  memory,
}: BoxParts): Generator<void> {
  const values = yield* alongNumbers(block, memory);
  const length = columns * (range.to - range.from);
  const numbers = rows * columns * (block.dtype.name === 'complex128' ? 2 : 1);
  for (const [k, run] of runs.entries()) {
    const own = values.subarray(k * numbers, (k + 1) * numbers);
    const into = { values: results.subarray(k * length, (k + 1) * length), ...range };
    yield* run({ values: own, columns, first, stop: first + rows }, into);
    yield;
  }
}

interface BoxResults {
  readonly results: ReturnType<typeof createNumbers>;
  readonly memory: AlongMemory;
  readonly from: number;
  readonly to: number;
  readonly tile: Box;
  readonly axis: number;
  readonly columns: number;
  readonly outer: number;
}

/** The results as a box of the slice, without those before its first position. */
function placed(
  { results, memory, from, to, tile, axis, columns, outer }: BoxResults,
  { kernel: { dtype }, from: start }: AlongWork,
): ValuesOfBox {
  const skipped = Math.max(0, start - from);
  const rows = to - from - skipped;
  const box = {
    start: tile.start.with(axis, from + skipped - start),
    shape: tile.shape.with(axis, rows),
  };
  if (skipped === 0) return { box, values: bytesOfNumbers(results, dtype, memory) };
  const kept = createNumbers(dtype, outer * rows * columns);
  for (let k = 0; k < outer; k++) {
    const at = (k * (to - from) + skipped) * columns;
    copyNumbers(results.subarray(at, at + rows * columns), kept, k * rows * columns);
  }
  return { box, values: bytesOfNumbers(kept, dtype, memory) };
}

function copyNumbers(
  from: ReturnType<typeof createNumbers>,
  to: ReturnType<typeof createNumbers>,
  at: number,
): void {
  const bytes = new Uint8Array(to.buffer, to.byteOffset, to.byteLength);
  bytes.set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength), 8 * at);
}
