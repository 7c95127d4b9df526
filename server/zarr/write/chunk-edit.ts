/** Edits of single chunks: values put into them, or cut off what lies beyond the array. */
import { sizeOf, stridesOf } from '../bytes/shape.js';
import type { CopyDim } from '../bytes/strided-copy.js';
import { allocateValues, copyValues, fillValues, unitOf, type MutableValues } from '../bytes/values.js';
import type { ReadUnits } from '../chunk/units.js';
import { decodeChunk } from '../codec/decode-chunk.js';
import { encodeChunk } from '../codec/encode-chunk.js';
import type { Element } from '../dtype/data-type.js';
import { isZarrError } from '../errors.js';
import { isAllFill } from '../dtype/is-all-fill.js';
import type { ReadTask } from '../read/plan.js';
import type { Decoder } from '../read/decoder.js';
import { stridesByArray } from '../read/place.js';
import type { Edit } from './edit.js';
import { copyIntoChunk, isWhole, isWithinArray, type WritePlan } from './plan.js';

/** What edits of an array's chunks have in common. */
export interface ChunkContext {
  readonly units: ReadUnits;
  readonly fill: Element;
  /** Chunks that hold nothing but the fill value are stored all the same. */
  readonly writeEmptyChunks: boolean;
  /** Bytes that values of variable length may take in one chunk. */
  readonly maxChunkBytes: number;
  /** Threads that share the encoding; without them everything is encoded here. */
  readonly encoder: Pick<Decoder, 'encode'> | undefined;
}

/**
 * Puts a task's values into its chunk. What is stored beyond the array's edge stays: the array may have grown since this
 * writer looked, and it be somebody's values. What others left there is cut off where the array grows.
 */
export function createChunkWrite(context: ChunkContext, plan: WritePlan, task: ReadTask): Edit {
  const { units } = context;
  const whole = isWhole(plan, task);
  const replaced = whole && isWithinArray(units, task.chunk);
  return {
    needsOld: !replaced,
    async run(old, tally) {
      const { values, strides } = replaced
        ? uninitialisedChunk(context)
        : ((whole ? unlessBroken(() => openChunk(context, old)) : undefined) ??
          openChunk(context, whole ? undefined : old));
      const copy = copyIntoChunk(plan, task, strides);
      copyValues(plan.values, copy.from, values, copy.to, copy.dims, plan.values.dtype.itemSize);
      return storeChunk(context, values, old, tally);
    },
  };
}

/** Old bytes of which everything within the array is written anew need not be readable. */
export function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH')) return undefined;
    throw error;
  }
}

/** A part of a chunk or of an array from its beginning, along each of the array's dimensions; in elements. */
export interface Cut {
  readonly keep: readonly number[];
  /** What lies beyond this is left alone; Infinity for nothing. */
  readonly until: readonly number[];
}

/** Makes everything in a chunk beyond `keep` the fill value. */
export function createChunkCut(context: ChunkContext, { keep, until }: Cut): Edit {
  return {
    needsOld: true,
    async run(old, tally) {
      if (old === undefined) return undefined;
      const { values, strides } = openChunk(context, old);
      const before = 'bytes' in values ? { bytes: values.bytes.slice() } : { items: [...values.items] };
      fillBeyond(context, values, strides, keep, until);
      if (sameValues(before, values)) return old;
      return storeChunk(context, values, old, tally);
    },
  };
}

/** Chunks are gathered and encoded one after the other: touching fresh memory for each would cost as much as gathering. */
let scratch = new Uint8Array(0);
const MAX_SCRATCH_BYTES = 64 * 2 ** 20;

interface OpenChunk {
  /** C order of the chunk as its codecs see it. */
  readonly values: MutableValues;
  /** By the array's dimensions. */
  readonly strides: readonly number[];
}

function emptyChunk(context: ChunkContext): OpenChunk {
  const { dtype, shape } = context.units.chain.rep;
  return { values: allocateValues(dtype.itemSize, sizeOf(shape)), strides: stridesInChunk(context) };
}

function stridesInChunk({ units }: ChunkContext): readonly number[] {
  const { dtype, shape } = units.chain.rep;
  return stridesByArray(units, stridesOf(shape, unitOf(dtype.itemSize)));
}

/** For a chunk of which every value is written: what the memory holds is undefined, and it is the next one's, too. */
function uninitialisedChunk(context: ChunkContext): OpenChunk {
  const { rep, bytesToBytes } = context.units.chain;
  const length = sizeOf(rep.shape) * (rep.dtype.itemSize ?? Infinity);
  const strides = stridesInChunk(context);
  if (!Number.isFinite(length)) return emptyChunk(context);
  // Without compression the store is given this very memory, and has it for as long as it likes.
  if (bytesToBytes.length === 0 || length > MAX_SCRATCH_BYTES)
    return { values: { bytes: new Uint8Array(Buffer.allocUnsafeSlow(length).buffer) }, strides };
  if (scratch.length < length) scratch = new Uint8Array(length);
  return { values: { bytes: scratch.subarray(0, length) }, strides };
}

/** A chunk as it is stored; all fill value where it is not. */
function openChunk(context: ChunkContext, old: Uint8Array | undefined): OpenChunk {
  const { units, fill, maxChunkBytes } = context;
  const { dtype, shape } = units.chain.rep;
  const { itemSize } = dtype;
  const chunk = emptyChunk(context);
  const to = stridesOf(shape, unitOf(itemSize));
  if (old === undefined) {
    fillValues(fill, chunk.values, 0, shape.map((count, i) => ({ count, from: 0, to: to[i] ?? 0 })), itemSize); // prettier-ignore
    return chunk;
  }
  const limit = itemSize === null ? maxChunkBytes : sizeOf(shape) * itemSize;
  const decoded = decodeChunk(units.chain, old, limit);
  const dims = shape.map((count, i) => ({ count, from: decoded.strides[i] ?? 0, to: to[i] ?? 0 }));
  copyValues(decoded.values, 0, chunk.values, 0, dims, itemSize);
  return chunk;
}

/** Dimension by dimension: what lies beyond its extent, within that of the dimensions before it. */
function fillBeyond(
  { units, fill }: ChunkContext,
  values: MutableValues,
  strides: readonly number[],
  extent: readonly number[],
  until: readonly number[],
): void {
  const lengths = units.grid.dims.map((dim, d) => Math.min(dim.chunkSize, until[d] ?? Infinity));
  lengths.forEach((length, cut) => {
    const start = extent[cut] ?? 0;
    if (start >= length) return;
    const dims: CopyDim[] = lengths.map((whole, d) => ({
      count: d < cut ? Math.min(extent[d] ?? 0, whole) : d === cut ? length - start : whole,
      from: 0,
      to: strides[d] ?? 0,
    }));
    fillValues(fill, values, start * (strides[cut] ?? 0), dims, units.chain.rep.dtype.itemSize);
  });
}

async function storeChunk(
  { units, fill, writeEmptyChunks, encoder }: ChunkContext,
  values: MutableValues,
  old: Uint8Array | undefined,
  tally: { written: number; deleted: number; leftOut: number },
): Promise<Uint8Array | undefined> {
  if (!writeEmptyChunks && isAllFill(values, units.chain.rep.dtype, fill)) {
    if (old === undefined) tally.leftOut++;
    else tally.deleted++;
    return undefined;
  }
  tally.written++;
  const elsewhere = 'bytes' in values ? encoder?.encode(units.chain, values.bytes) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const encoded = encodeChunk(units.chain, values);
  return encoded.buffer === scratch.buffer ? encoded.slice() : encoded;
}

function sameValues(a: MutableValues, b: MutableValues): boolean {
  if ('bytes' in a && 'bytes' in b) return a.bytes.every((byte, i) => byte === b.bytes[i]);
  return 'items' in a && 'items' in b && a.items.every((item, i) => Object.is(item, b.items[i]));
}
