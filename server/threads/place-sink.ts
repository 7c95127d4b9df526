/** Places chunks in an array, which is the result of a read: as copies, or through a transform. */
import { isSharedBuffer } from '#platform';
import { defined } from '../../wire/guards.js';
import { copyPieces, copyStrided, type BoxCopy } from '../core/bytes/strided-copy.js';
import { sizeOf, stridesOf } from '../core/bytes/shape.js';
import { allocateValues, copyValues, destination, fillValues, type MutableValues, unitOf, type Values } from '../core/bytes/values.js'; // prettier-ignore
import type { DecodedChunk } from '../format/codec/run-chain.js';
import { fixedItemSize, isFixedSize, type Block, type DataType, type Element } from '../core/dtype/data-type.js'; // prettier-ignore
import { asValues } from '../core/dtype/item-values.js';
import { InputError, UnsupportedError } from '../core/errors.js';
import { LARGE_CHUNK_BYTES } from '../core/bytes/large-buffers.js';
import { transformNsPerElement } from '../format/plan/element-transform.js';
import { runLength } from '../format/plan/parts.js';
import type { ReadPlan, ReadTask } from '../format/plan/plan.js';
import { inTurns } from '../core/turns.js';
import { copyRegion, countElements } from '../format/plan/region.js';
import type { Sink } from '../compute/reduce/sink.js';
import { tryTransform } from '../compute/transform/apply-transform.js';
import { transformBox } from '../compute/transform/transform-box.js';

export interface PlaceOptions {
  /** Destination of exactly the length of the result. @default new memory */
  readonly out?: Uint8Array | undefined;
  /** Maximum size of the result in bytes. */
  readonly maxOutputBytes: number;
}

/** Maximum time, in nanoseconds, to place a chunk in one step. A slower chunk is placed in time slices. */
const SLOW_NS = 4_000_000;

export class PlaceSink implements Sink<Block> {
  readonly #plan: ReadPlan;
  readonly #fill: Element;
  readonly #result: MutableValues;
  /** Size of one element of the result: in bytes, or 1 for items. */
  readonly #unit: number;
  /** Whether chunks that are contiguous in the result may be decoded directly into it. */
  readonly #decodesInPlace: boolean;
  /** Whether the result is zeroed, apart from the chunks that have been placed. */
  #isZeroed: boolean;

  /**
   * @throws InputError if `out` has another length than the result, or if the result has no fixed size; UnsupportedError
   * for a transform of another data type
   */
  constructor(plan: ReadPlan, fill: Element, { out, maxOutputBytes }: PlaceOptions) {
    const { dtype, transform, resultType, shape, cost, layout } = plan;
    const { itemSize } = resultType;
    if (transform !== undefined && transform.sourceBytes !== dtype.itemSize)
      throw new UnsupportedError(`the transform does not apply to values of type ${dtype.name}`);
    if (out !== undefined && itemSize === null)
      throw new InputError(
        `"out" requires a data type of fixed size; ${resultType.name} has a variable size`,
      );
    this.#plan = plan;
    this.#fill = fill;
    this.#result =
      out === undefined || itemSize === null
        ? allocateValues(itemSize, sizeOf(shape), maxOutputBytes - cost.allocatedBytes)
        : { bytes: destination(out, sizeOf(shape) * itemSize) };
    this.#unit = unitOf(itemSize);
    this.#decodesInPlace = isCopied(plan) && layout.decodesInPlace;
    this.#isZeroed = out === undefined;
  }

  get destination(): Sink<Block>['destination'] {
    if (!('bytes' in this.#result)) return undefined;
    const { bytes } = this.#result;
    return isSharedBuffer(bytes.buffer) ? { kind: 'memory', bytes } : { kind: 'regions' };
  }

  region(task: ReadTask, region: Uint8Array): void {
    if ('bytes' in this.#result) placeRegion(this.#plan, task, region, this.#result.bytes);
  }

  into(task: ReadTask): Uint8Array | undefined {
    if (!task.contiguous || !this.#decodesInPlace || !('bytes' in this.#result)) return undefined;
    const { to } = copyRegion(this.#plan, task, [], this.#unit);
    return this.#result.bytes.subarray(to, to + task.form.bytes);
  }

  chunk(task: ReadTask, { values }: DecodedChunk): void {
    const copy = copyRegion(this.#plan, task, task.form.strides, this.#unit);
    const result = this.#result;
    // The chunk was decoded directly into the result; see `into`.
    const isInPlace =
      'bytes' in values &&
      'bytes' in result &&
      values.bytes.buffer === result.bytes.buffer &&
      values.bytes.byteOffset === result.bytes.byteOffset + copy.to;
    if (!isInPlace) place(this.#plan, values, result, copy);
  }

  isSlow(task: ReadTask): boolean {
    const { transform } = this.#plan;
    return transform !== undefined && countElements(task) * transformNsPerElement(transform) > SLOW_NS;
  }

  largeChunk(task: ReadTask, { values }: DecodedChunk, signal: AbortSignal): Promise<void> {
    const copy = copyRegion(this.#plan, task, task.form.strides, this.#unit);
    return inTurns(placeInSteps(this.#plan, values, this.#result, copy), signal);
  }

  absent(task: ReadTask, signal: AbortSignal): void | Promise<void> {
    const values = placedFill(this.#fill, this.#plan);
    if (this.#isZeroed && 'bytes' in values && values.bytes.every((byte) => byte === 0)) return;
    const { itemSize } = this.#plan.resultType;
    const copy = copyRegion(this.#plan, task, [], this.#unit);
    const fill = ({ to, dims }: BoxCopy): void => fillValues(values, this.#result, to, dims, itemSize);
    if (countElements(task) * this.#unit <= LARGE_CHUNK_BYTES) return fill(copy);
    return inTurns(fillInSteps(copyPieces(copy, this.#unit), fill), signal);
  }

  retried(): void {
    // An earlier attempt may have overwritten the zeros.
    this.#isZeroed = false;
  }

  finish(): Block {
    return toBlock(this.#plan.resultType, this.#plan.shape, this.#result);
  }
}

/** Adds the data type to values. @throws UnsupportedError for an unknown data type */
export function toBlock(dtype: DataType, shape: readonly number[], values: MutableValues): Block {
  if (isFixedSize(dtype) && 'bytes' in values) return { dtype, shape, bytes: values.bytes };
  if (!isFixedSize(dtype) && dtype.name !== 'unknown' && 'items' in values)
    return { dtype, shape, items: values.items };
  throw new UnsupportedError(`unsupported data type ${dtype.name}`);
}

/**
 * The fill value in the data type of the result.
 * @throws UnsupportedError if this type cannot represent it
 */
export function placedFill(fill: Element, { dtype, transform }: ReadPlan): Values {
  if (transform === undefined || !('bytes' in fill)) return asValues(fill, dtype);
  const bytes = new Uint8Array(transform.dtype.itemSize);
  const problem = tryTransform(transform, fill.bytes, bytes);
  if (problem !== undefined) throw new UnsupportedError(problem);
  return { bytes };
}

/** Whether the result contains the stored elements unchanged. */
function isCopied({ transform }: ReadPlan): boolean {
  return transform === undefined || transform.kind === 'copy';
}

/**
 * Places a box of a decoded chunk, at `from`, in the result, at `to`. Positions and strides are in bytes (for items, in
 * elements).
 * @throws UnsupportedError if the result's type cannot represent a value
 */
function place(plan: ReadPlan, chunk: Values, result: MutableValues, copy: BoxCopy): void {
  if (isCopied(plan)) copyValues(chunk, copy.from, result, copy.to, copy.dims, plan.dtype.itemSize);
  else for (const _ of placeInSteps(plan, chunk, result, copy));
}

/** Like `place`, in steps of at most a few milliseconds. */
function* placeInSteps(plan: ReadPlan, chunk: Values, result: MutableValues, copy: BoxCopy): Generator<void> {
  const { transform } = plan;
  if (transform === undefined || isCopied(plan)) {
    for (const piece of copyPieces(copy, unitOf(plan.dtype.itemSize))) {
      place(plan, chunk, result, piece);
      yield;
    }
  } else if ('bytes' in chunk && 'bytes' in result)
    yield* transformBox(transform, chunk.bytes, result.bytes, copy);
}

function* fillInSteps(pieces: Iterable<BoxCopy>, fill: (piece: BoxCopy) => void): Generator<void> {
  for (const piece of pieces) {
    fill(piece);
    yield;
  }
}

/** Size of a task's region in bytes; for fixed-size types and boxes only. */
export function regionBytes(plan: ReadPlan, { parts }: ReadTask): number {
  if ('points' in parts) return 0;
  let bytes = fixedItemSize(plan.resultType);
  for (const part of parts) bytes *= runLength(part.from);
  return bytes;
}

/**
 * Copies the region from a decoded chunk.
 * @param into memory of exactly the length of the region
 * @throws UnsupportedError if the result's type cannot represent a value
 */
export function packRegion(plan: ReadPlan, task: ReadTask, { values }: DecodedChunk, into: Uint8Array): void {
  if (!('bytes' in values)) throw new TypeError('values of variable length have no region');
  const unit = plan.resultType.itemSize ?? 1;
  const { from: start, dims } = copyRegion(plan, task, task.form.strides, unit);
  const packed = stridesOf(
    dims.map((dim) => dim.count),
    unit,
  );
  const copy = dims.map(({ count, from, fromAt }, d) => ({
    count,
    from,
    to: defined(packed[d]),
    fromAt,
    toAt: undefined,
  }));
  place(plan, values, { bytes: into }, { from: start, to: 0, dims: copy });
}

/** Copies a region into the result. */
function placeRegion(plan: ReadPlan, task: ReadTask, region: Uint8Array, result: Uint8Array): void {
  const unit = plan.resultType.itemSize ?? 1;
  const { to: start, dims } = copyRegion(plan, task, [], unit);
  const packed = stridesOf(
    dims.map((dim) => dim.count),
    unit,
  );
  const copy = dims.map(({ count, to, toAt }, d) => ({
    count,
    from: defined(packed[d]),
    to,
    fromAt: undefined,
    toAt,
  }));
  copyStrided(region, 0, result, start, copy, unit);
}
