/** Places chunks in an array: the result of a read. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { copyPieces, type BoxCopy } from '../../bytes/copy-pieces.js';
import { sizeOf } from '../../bytes/shape.js';
import { allocateValues, copyValues, fillValues, unitOf, type MutableValues } from '../../bytes/values.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import { isFixedSize, type Block, type DataType, type Element } from '../../dtype/data-type.js';
import { asValues } from '../../dtype/item-values.js';
import { InputError, UnsupportedError, throwIfAborted } from '../../errors.js';
import { inArrayOrder } from '../../sharding/layout.js';
import { largeChunkBytes } from '../pool/large-buffers.js';
import type { ReadPlan, ReadTask } from '../plan.js';
import { placeRegion } from '../direct/region-copy.js';
import { copyRegion } from '../region.js';
import type { DirectAccess, Sink } from '../sink.js';

export interface PlaceOptions {
  /** Where the result goes, exactly as long as it is; else it is allocated. */
  readonly out?: Uint8Array | undefined;
  /** Bytes that the result may take. */
  readonly maxOutputBytes: number;
}

export class PlaceSink implements Sink<Block> {
  readonly #plan: ReadPlan;
  readonly #fill: Element;
  readonly #result: MutableValues;
  /** Chunks fill the result's memory in their own order, where they are contiguous. */
  readonly #decodesInPlace: boolean;
  /** The result holds the fill value wherever nothing was written. */
  #isFilled: boolean;

  /** @throws InputError where `out` has another length than the result */
  constructor(plan: ReadPlan, fill: Element, { out, maxOutputBytes }: PlaceOptions) {
    this.#plan = plan;
    this.#fill = fill;
    this.#result = allocateResult(plan, out, maxOutputBytes);
    this.#isFilled = out === undefined && 'bytes' in fill && fill.bytes.every((byte) => byte === 0);
    const { axes, chain } = plan.layout;
    this.#decodesInPlace = chain.arrayToArray.length === 0 && axes.every((d, i) => d === i);
  }

  get direct(): DirectAccess | undefined {
    if (!('bytes' in this.#result)) return undefined;
    const { bytes } = this.#result;
    return {
      shared: bytes.buffer instanceof SharedArrayBuffer ? bytes : undefined,
      region: (task, region) => placeRegion(this.#plan, task, region, bytes),
    };
  }

  into(task: ReadTask): Uint8Array | undefined {
    if (!task.contiguous || !this.#decodesInPlace || !('bytes' in this.#result)) return undefined;
    const { to } = copyRegion(this.#plan, task, [], unitOf(this.#plan.dtype.itemSize));
    return this.#result.bytes.subarray(to, to + this.#plan.cost.chunkBytes);
  }

  chunk(task: ReadTask, decoded: DecodedChunk): void {
    const copy = this.#regionOf(task, decoded);
    if (!isInPlace(decoded, this.#result, copy.to)) this.#place(decoded, copy);
  }

  async largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void> {
    const pieces = copyPieces(this.#regionOf(task, decoded), unitOf(this.#plan.dtype.itemSize));
    await inTurns(pieces, signal, (piece) => this.#place(decoded, piece));
  }

  absent(task: ReadTask, signal: AbortSignal): void | Promise<void> {
    if (this.#isFilled) return;
    const { itemSize } = this.#plan.dtype;
    const copy = copyRegion(this.#plan, task, [], unitOf(itemSize));
    const values = asValues(this.#fill, this.#plan.dtype);
    const fill = ({ to, dims }: BoxCopy): void => fillValues(values, this.#result, to, dims, itemSize);
    if (this.#plan.cost.chunkBytes <= largeChunkBytes) return fill(copy);
    return inTurns(copyPieces(copy, unitOf(itemSize)), signal, fill);
  }

  retried(): void {
    // What an earlier attempt wrote is not the fill value.
    this.#isFilled = false;
  }

  finish(): Block {
    return toBlock(this.#plan.dtype, this.#plan.shape, this.#result);
  }

  #regionOf(task: ReadTask, { strides }: DecodedChunk): BoxCopy {
    const { layout, dtype } = this.#plan;
    return copyRegion(this.#plan, task, inArrayOrder(strides, layout.axes), unitOf(dtype.itemSize));
  }

  #place({ values }: DecodedChunk, { from, to, dims }: BoxCopy): void {
    copyValues(values, from, this.#result, to, dims, this.#plan.dtype.itemSize);
  }
}

/** Gives values their type back. @throws UnsupportedError for the unknown type, whose values nobody can read */
export function toBlock(dtype: DataType, shape: readonly number[], values: MutableValues): Block {
  if (isFixedSize(dtype) && 'bytes' in values) return { dtype, shape, bytes: values.bytes };
  if (!isFixedSize(dtype) && dtype.name !== 'unknown' && 'items' in values)
    return { dtype, shape, items: values.items };
  throw new UnsupportedError(`values of the type ${dtype.name} cannot be read`);
}

function allocateResult(plan: ReadPlan, out: Uint8Array | undefined, maxOutputBytes: number): MutableValues {
  const contents = maxOutputBytes - plan.cost.allocatedBytes;
  if (out === undefined) return allocateValues(plan.dtype.itemSize, sizeOf(plan.shape), contents);
  if (out.length !== plan.cost.outputBytes)
    throw new InputError(
      `"out" has ${out.length} bytes; the result takes ${plan.cost.outputBytes ?? 'a variable number'}`,
    );
  return { bytes: out };
}

/** Whether the chunk was decoded to where it belongs: see `into`. */
function isInPlace({ values }: DecodedChunk, result: MutableValues, to: number): boolean {
  if (!('bytes' in values && 'bytes' in result)) return false;
  return (
    values.bytes.buffer === result.bytes.buffer && values.bytes.byteOffset === result.bytes.byteOffset + to
  );
}

/** @throws AbortedError */
async function inTurns(
  pieces: Iterable<BoxCopy>,
  signal: AbortSignal,
  run: (piece: BoxCopy) => void,
): Promise<void> {
  for (const piece of pieces) {
    throwIfAborted(signal);
    run(piece);
    await nextTurn();
  }
}
