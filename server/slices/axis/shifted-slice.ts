/** Slices whose values are moved along a dimension: reads of other positions, with missing values at the ends. */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { type BoxCopy, copyPieces, copyStrided } from '../../core/bytes/strided-copy.js';
import { destination } from '../../core/bytes/values.js';
import { type Block, fixedItemSize, type FixedSizeType } from '../../core/dtype/data-type.js';
import { missingBytes, numberAccess } from '../../core/dtype/number-access.js';
import { throwIfAborted, withContext } from '../../core/errors.js';
import { defaultLimits } from '../../core/limits.js';
import { createPause } from '../../core/turns.js';
import { assertAlong } from '../../compute/along/along.js';
import { transformBox } from '../../compute/transform/transform-box.js';
import { assertWithinLimits, type PlanCost } from '../../format/plan/cost.js';
import type { NumberTransform } from '../../format/plan/element-transform.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import { countOf, positionAt } from '../../format/selection/selection.js';
import { isPointwise } from '../held-slice.js';
import { alongAxis, type AxisView, chosenPart, selectView, wholeView } from '../axis-view.js';
import { type AxisChunks, boxesOfShape, boxLengths, chunksAlong, selectionIn } from '../boxes.js';
import { ComputedSlice, framedAs } from '../computed-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';
import { relativeTo, wholeDim } from '../mapped-origin.js';
import { maskedType, toFloats } from '../masked-slice.js';
import { OneState } from '../one-state.js';
import { pickSlice } from '../picked-slice.js';
import { createBlockMemory } from '../stream-slice.js';
import { foldBoxes, type ValuesOfBox } from './fold-boxes.js';
import { hullOf } from './rolling-slice.js';

/**
 * Moves the values along an axis; the labels stay. Positions without a value are missing, so that integers and booleans
 * become floats. Reads nothing.
 * @param by number of positions: 1 places each value at the next position
 * @throws UnsupportedError for other types than real numbers and times
 */
export function shiftSlice(slice: LazySlice, axis: number, by: number): LazySlice {
  try {
    assertAlong(slice.dtype, 'shift');
    return new ShiftedSlice(wholeView(slice, axis), by, maskedType(slice.dtype));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}

/** Nanoseconds per value. */
const SHIFT_WORK = 2;

class ShiftedSlice extends ComputedSlice {
  readonly #view: AxisView;
  readonly #by: number;
  readonly #dtype: FixedSizeType;
  readonly #moved: Moved;

  /** @param view view of consecutive positions, ascending */
  constructor(view: AxisView, by: number, dtype: FixedSizeType) {
    const moved = movedOf(view, by);
    super(framedAs(chosenPart(view), { dtype }), [moved.input]);
    this.#view = view;
    this.#by = by;
    this.#dtype = dtype;
    this.#moved = moved;
  }

  /** Parts cost what they read, and at most one more chunk along the axis. */
  override get isPointwise(): boolean {
    return this.#isInPlace && isPointwise(this.#view.source);
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    if (resolved.kind === 'points') return pickSlice(this, resolved);
    const inner = selectView(this.#view, resolved.dims);
    const run = hullOf(inner.chosen);
    const hull = new ShiftedSlice({ ...inner, chosen: run }, this.#by, this.#dtype);
    const { chosen } = inner;
    if (chosen.kind === 'range' && chosen.step === 1 && !chosen.dropped) return hull;
    const dims = hull.shape.map((size, d) => (d === inner.axis ? relativeTo(run.start, chosen) : wholeDim(size))); // prettier-ignore
    return pickSlice(hull, { kind: 'box', dims });
  }

  cost(): PlanCost {
    const { input } = this.#moved;
    const read = input.cost();
    const outputBytes = sizeOf(this.shape) * this.#dtype.itemSize;
    return {
      ...read,
      work: read.work + sizeOf(this.shape) * SHIFT_WORK,
      outputBytes,
      allocatedBytes: outputBytes,
      intermediateBytes: read.intermediateBytes + (this.#isInPlace ? 0 : read.allocatedBytes),
    };
  }

  /** Whether the input is read into the result itself. */
  get #isInPlace(): boolean {
    const { input, before, after } = this.#moved;
    if (input.dtype !== this.#dtype || !input.takesOut) return false;
    return (before === 0 && after === 0) || sizeOf(this.shape.slice(0, this.#view.axis)) === 1;
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const { shape } = this;
    const dtype = this.#dtype;
    const { axis } = this.#view;
    const { input, before, after } = this.#moved;
    // The input may be empty, however large the result is.
    assertWithinLimits(this.cost(), options.limits ?? input.inputs[0]?.array.context.limits ?? defaultLimits);
    const bytes = destination(out, sizeOf(shape) * dtype.itemSize);
    const count = defined(shape[axis]);
    const rowBytes = sizeOf(shape.slice(axis + 1)) * dtype.itemSize;
    const place = { outer: sizeOf(shape.slice(0, axis)), itemSize: dtype.itemSize, stride: count * rowBytes, rowBytes };
    const pause = createPause();
    const run = async (steps: Iterable<void>): Promise<void> => {
      for (const _ of steps) {
        await pause();
        throwIfAborted(options.signal);
      }
    };
    const rows = count - before - after;
    if (this.#isInPlace) {
      const own = bytes.subarray(before * rowBytes, bytes.length - after * rowBytes);
      await input.read({ ...options, out: own });
    } else if (rows > 0) {
      const block = await input.read({ ...options, readOnly: true });
      if (!('bytes' in block)) throw new TypeError('numbers have a fixed size');
      const transform = input.dtype === dtype ? undefined : toFloats(input.dtype, dtype);
      await run(moveRows(block, transform, bytes, { ...place, before, rows }));
    }
    const missing = missingOf(dtype);
    await run(fillRows(missing, bytes, { ...place, before: 0, rows: before }));
    await run(fillRows(missing, bytes, { ...place, before: count - after, rows: after }));
    return { dtype, shape, bytes };
  } // prettier-ignore

  /** In boxes of the chunks of the input, each of which is then read once. */
  override get fold(): NonNullable<LazySlice['fold']> {
    return (fold, options) => foldBoxes(this, this.#dtype, (own) => this.#boxes(own), fold, options);
  }

  async *#boxes(options: SliceFoldOptions): AsyncGenerator<ValuesOfBox> {
    const { source, axis, chosen } = this.#view;
    const { shape } = this;
    const start = countOf(chosen) === 0 ? 0 : positionAt(chosen, 0);
    const all = chunksAlong(source);
    const chunks = all.with(axis, movedChunks(defined(all[axis]), this.#by - start));
    const lengths = boxLengths(shape, chunks, this.#dtype.itemSize + fixedItemSize(source.dtype));
    const state = new OneState(this, options);
    const memory = createBlockMemory();
    const axes = shape.map((_, d) => d);
    for (const box of boxesOfShape(shape, chunks, lengths)) {
      const part = this.select(selectionIn(box, axes));
      const block = await part.read({ ...options, onVersion: state.onVersion, ...memory.outFor(part) });
      state.assertUnchanged();
      if (!('bytes' in block)) throw new TypeError('numbers have a fixed size');
      yield { box, values: block.bytes };
    }
  }
}

interface Moved {
  /** The positions of the source whose values are in the result. */
  readonly input: LazySlice;
  /** Number of missing positions before and after them. */
  readonly before: number;
  readonly after: number;
}

function movedOf({ source, axis, chosen }: AxisView, by: number): Moved {
  const size = defined(source.shape[axis]);
  const count = countOf(chosen);
  const from = count === 0 ? 0 : positionAt(chosen, 0);
  const start = Math.min(size, Math.max(0, from - by));
  const stop = Math.max(start, Math.min(size, from + count - by));
  const input = source.select({ kind: 'dims', dims: alongAxis(axis, { kind: 'slice', start, stop }) });
  const before = stop === start ? count : start + by - from;
  return { input, before, after: count - before - (stop - start) };
}

/** The chunks of an axis whose positions move. */
function movedChunks({ first, each }: AxisChunks, by: number): AxisChunks {
  const length = Math.max(1, each);
  const end = (first + by - 1) % length;
  return { first: (end < 0 ? end + length : end) + 1, each };
}

/** Some rows of each part of the result that is consecutive along the axis. */
interface RowPlace {
  readonly outer: number;
  readonly itemSize: number;
  /** Distance of the parts in bytes. */
  readonly stride: number;
  readonly rowBytes: number;
  /** Number of rows before them. */
  readonly before: number;
  readonly rows: number;
}

function copyOf({ outer, itemSize, stride, rowBytes, before, rows }: RowPlace, sourceBytes: number): BoxCopy {
  const count = (rows * rowBytes) / itemSize;
  const dims = [
    { count: outer, from: count * sourceBytes, to: stride },
    { count, from: sourceBytes, to: itemSize },
  ];
  return { from: 0, to: before * rowBytes, dims };
}

function* moveRows(
  block: Extract<Block, { bytes: Uint8Array }>,
  transform: NumberTransform | undefined,
  to: Uint8Array,
  place: RowPlace,
): Generator<void> {
  const copy = copyOf(place, block.dtype.itemSize);
  if (transform !== undefined) yield* transformBox(transform, block.bytes, to, copy);
  else
    for (const piece of copyPieces(copy, place.itemSize)) {
      copyStrided(block.bytes, piece.from, to, piece.to, piece.dims, place.itemSize);
      yield;
    }
}

function* fillRows(missing: Uint8Array, to: Uint8Array, place: RowPlace): Generator<void> {
  if (place.rows === 0) return;
  for (const piece of copyPieces(copyOf(place, 0), place.itemSize)) {
    copyStrided(missing, 0, to, piece.to, piece.dims, place.itemSize);
    yield;
  }
}

function missingOf({ name }: FixedSizeType): Uint8Array {
  const access = numberAccess(name);
  if (access === undefined) throw new TypeError(`values of type ${name} cannot be missing`);
  return missingBytes(access);
}
