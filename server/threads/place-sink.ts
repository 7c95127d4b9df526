/** Places chunks in an array: the result of a read. */
import { isSharedBuffer } from '#platform';
import { copyPieces, type BoxCopy } from '../core/bytes/strided-copy.js';
import { sizeOf } from '../core/bytes/shape.js';
import { allocateValues, fillValues, unitOf, type MutableValues, destination } from '../core/bytes/values.js';
import type { DecodedChunk } from '../format/codec/run-chain.js';
import { isFixedSize, type Block, type DataType, type Element } from '../core/dtype/data-type.js';
import { InputError, UnsupportedError } from '../core/errors.js';
import { LARGE_CHUNK_BYTES } from '../core/bytes/large-buffers.js';
import type { ReadPlan, ReadTask } from '../format/plan/plan.js';
import { placeRegion } from './region-copy.js';
import { inTurns } from '../core/turns.js';
import { copyRegion, countElements } from '../format/plan/region.js';
import type { Sink } from '../compute/reduce/sink.js';
import { createPlacement, placedFill, type PlacedFill, type Placement } from '../compute/placement.js';

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
  readonly #placement: Placement;
  readonly #fill: PlacedFill;
  readonly #result: MutableValues;
  /** Size of one element of the result: in bytes, or 1 for items. */
  readonly #unit: number;
  /** Whether chunks that are contiguous in the result may be decoded directly into it. */
  readonly #decodesInPlace: boolean;
  /** Whether the result is initialised with the fill value. */
  #isFilled: boolean;

  /** @throws InputError if `out` has another length than the result, or if the result has no fixed size */
  constructor(plan: ReadPlan, fill: Element, { out, maxOutputBytes }: PlaceOptions) {
    this.#plan = plan;
    this.#placement = createPlacement(plan);
    this.#fill = placedFill(fill, plan);
    this.#result = allocateResult(plan, out, maxOutputBytes);
    this.#unit = unitOf(plan.resultType.itemSize);
    this.#isFilled = out === undefined && this.#fill.isZero;
    this.#decodesInPlace = this.#placement.isCopy && plan.layout.decodesInPlace;
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
    return this.#result.bytes.subarray(to, to + this.#plan.cost.chunkBytes);
  }

  chunk(task: ReadTask, decoded: DecodedChunk): void {
    const copy = this.#regionOf(task);
    if (!isInPlace(decoded, this.#result, copy.to)) this.#placement.place(decoded.values, this.#result, copy);
  }

  isSlow(task: ReadTask): boolean {
    const { nsPerElement } = this.#placement;
    return nsPerElement > 0 && countElements(task) * nsPerElement > SLOW_NS;
  }

  largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void> {
    const copy = this.#regionOf(task);
    return inTurns(this.#placement.steps(decoded.values, this.#result, copy), signal);
  }

  absent(task: ReadTask, signal: AbortSignal): void | Promise<void> {
    if (this.#isFilled) return;
    const { itemSize } = this.#plan.resultType;
    const copy = copyRegion(this.#plan, task, [], this.#unit);
    const values = this.#fill.values();
    const fill = ({ to, dims }: BoxCopy): void => fillValues(values, this.#result, to, dims, itemSize);
    if (countElements(task) * this.#unit <= LARGE_CHUNK_BYTES) return fill(copy);
    return inTurns(fillInSteps(copyPieces(copy, this.#unit), fill), signal);
  }

  retried(): void {
    // An earlier attempt may have overwritten the fill value in the result.
    this.#isFilled = false;
  }

  finish(): Block {
    return toBlock(this.#plan.resultType, this.#plan.shape, this.#result);
  }

  #regionOf(task: ReadTask): BoxCopy {
    return copyRegion(this.#plan, task, this.#plan.layout.chunkStrides, this.#unit);
  }
}

/** Adds the data type to values. @throws UnsupportedError for an unknown data type */
export function toBlock(dtype: DataType, shape: readonly number[], values: MutableValues): Block {
  if (isFixedSize(dtype) && 'bytes' in values) return { dtype, shape, bytes: values.bytes };
  if (!isFixedSize(dtype) && dtype.name !== 'unknown' && 'items' in values)
    return { dtype, shape, items: values.items };
  throw new UnsupportedError(`unsupported data type ${dtype.name}`);
}

function allocateResult(plan: ReadPlan, out: Uint8Array | undefined, maxOutputBytes: number): MutableValues {
  const { itemSize } = plan.resultType;
  const count = sizeOf(plan.shape);
  if (out === undefined) return allocateValues(itemSize, count, maxOutputBytes - plan.cost.allocatedBytes);
  if (itemSize === null)
    throw new InputError(
      `"out" requires a data type of fixed size; ${plan.resultType.name} has a variable size`,
    );
  return { bytes: destination(out, count * itemSize) };
}

/** Whether the chunk was decoded directly into the result; see `into`. */
function isInPlace({ values }: DecodedChunk, result: MutableValues, to: number): boolean {
  if (!('bytes' in values && 'bytes' in result)) return false;
  return (
    values.bytes.buffer === result.bytes.buffer && values.bytes.byteOffset === result.bytes.byteOffset + to
  );
}

function* fillInSteps(pieces: Iterable<BoxCopy>, fill: (piece: BoxCopy) => void): Generator<void> {
  for (const piece of pieces) {
    fill(piece);
    yield;
  }
}
