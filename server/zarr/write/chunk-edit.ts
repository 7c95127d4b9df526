/** Edits of single chunks: values put into them, or cut off what lies beyond the array. */
import { allocateUninitialised } from '#platform';
import { sizeOf, stridesOf } from '../bytes/shape.js';
import type { CopyDim } from '../bytes/strided-copy.js';
import { copyPieces, pieceBytes, type BoxCopy } from '../bytes/copy-pieces.js';
import { allocateValues, copyValues, fillValues, unitOf, type MutableValues } from '../bytes/values.js';
import { inArrayOrder, type InnerChunkLayout } from '../sharding/layout.js';
import { isTrivial } from '../codec/codec.js';
import { decodeChunk, type DecodedChunk } from '../codec/decode-chunk.js';
import { encodeChunk } from '../codec/encode-chunk.js';
import type { Element } from '../dtype/data-type.js';
import { asValues } from '../dtype/item-values.js';
import { chargedItemBytes } from '../dtype/charged-bytes.js';
import { isZarrError } from '../errors.js';
import { isAllFill } from '../dtype/is-all-fill.js';
import { decodeVariable, isQuicklyEncoded } from '../read/pool/decode-variable.js';
import { itemBytes } from '../read/item-bytes.js';
import type { ReadTask } from '../read/plan.js';
import type { CodecPool } from '../read/pool/codec-pool.js';
import { decodeInPool } from '../read/pool/decode-in-pool.js';
import { copyInTurns, largeChunkBytes, releaseBuffer } from '../read/pool/large-buffers.js';
import type { Breathe } from './breathe.js';
import { assertEncodable, sameValues, snapshot } from './chunk-values.js';
import type { Edit } from './edit.js';
import { copyIntoChunk, isWhole, isWithinArray, type WritePlan } from './plan.js';

/** What edits of an array's chunks have in common. */
export interface ChunkContext {
  readonly layout: InnerChunkLayout;
  readonly fill: Element;
  /** Chunks that hold nothing but the fill value are stored all the same. */
  readonly writeEmptyChunks: boolean;
  /** Bytes that values of variable length may take in one chunk. */
  readonly maxChunkBytes: number;
  readonly threads: EditThreads;
  readonly signal: AbortSignal | undefined;
  /** Called between pieces of a large chunk. */
  readonly breathe: Breathe;
}

/** Where chunks are encoded, and old ones decoded. */
export interface EditThreads {
  /** Without it everything is done on this thread. */
  readonly pool: CodecPool | undefined;
  /** Whether this thread takes what is not large while the others have enough to do. */
  readonly here: boolean;
}

/**
 * Puts a task's values into its chunk. What is stored beyond the array's edge stays: the array may have grown since this
 * writer looked, and it be somebody's values. What others left there is cut off where the array grows.
 */
export function createChunkWrite(context: ChunkContext, plan: WritePlan, task: ReadTask): Edit {
  const { layout } = context;
  const whole = isWhole(plan, task);
  const replaced = whole && isWithinArray(layout, task.chunk);
  return {
    needsOld: !replaced,
    async run(old, tally) {
      const { values, strides } = replaced
        ? uninitialisedChunk(context)
        : ((whole ? await unlessBrokenChunk(() => openChunk(context, old)) : undefined) ??
          (await openChunk(context, whole ? undefined : old)));
      const { itemSize } = plan.values.dtype;
      const copying = eachPiece(context, copyIntoChunk(plan, task, strides), itemSize, ({ from, to, dims }) =>
        copyValues(plan.values, from, values, to, dims, itemSize),
      );
      // No pause where there is no need: the memory of small chunks is shared.
      if (copying !== undefined) await copying;
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

/** As `unlessBroken`. */
async function unlessBrokenChunk<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    return unlessBroken(() => {
      throw error;
    });
  }
}

/** Copies a large chunk piece by piece, with pauses. @returns undefined where it was not large, and is done */
function eachPiece(
  { breathe }: ChunkContext,
  copy: BoxCopy,
  itemSize: number | null,
  run: (piece: BoxCopy) => void,
): Promise<void> | undefined {
  const unit = unitOf(itemSize);
  const count = copy.dims.reduce((product, dim) => product * dim.count, 1);
  if (count * unit > largeChunkBytes) return runPieces(copyPieces(copy, unit), run, breathe);
  run(copy);
  return undefined;
}

async function runPieces(
  pieces: Iterable<BoxCopy>,
  run: (piece: BoxCopy) => void,
  breathe: Breathe,
): Promise<void> {
  for (const piece of pieces) {
    run(piece);
    await breathe();
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
      const { values, strides } = await openChunk(context, old);
      const before =
        'bytes' in values
          ? { bytes: await copyInTurns(values.bytes, context.signal) }
          : { items: snapshot(values.items) };
      await fillBeyond(context, values, strides, keep, until);
      if (await sameValues(before, values, context.breathe)) return old;
      return storeChunk(context, values, old, tally);
    },
  };
}

/** Chunks are gathered and encoded one after the other: touching fresh memory for each would cost as much as gathering. */
let scratch = new Uint8Array(0);
const MAX_SCRATCH_BYTES = largeChunkBytes;

interface OpenChunk {
  /** C order of the chunk as its codecs see it. */
  readonly values: MutableValues;
  /** By the array's dimensions. */
  readonly strides: readonly number[];
}

function emptyChunk(context: ChunkContext): OpenChunk {
  const { dtype, shape } = context.layout.chain.rep;
  return { values: allocateValues(dtype.itemSize, sizeOf(shape)), strides: stridesInChunk(context) };
}

function stridesInChunk({ layout }: ChunkContext): readonly number[] {
  const { dtype, shape } = layout.chain.rep;
  return inArrayOrder(stridesOf(shape, unitOf(dtype.itemSize)), layout.axes);
}

/** For a chunk of which every value is written: what the memory holds is undefined, and it is the next one's, too. */
function uninitialisedChunk(context: ChunkContext): OpenChunk {
  const { rep, bytesToBytes } = context.layout.chain;
  const length = sizeOf(rep.shape) * (rep.dtype.itemSize ?? Infinity);
  const strides = stridesInChunk(context);
  if (!Number.isFinite(length)) return emptyChunk(context);
  // Without compression the store is given this very memory, and has it for as long as it likes.
  if (bytesToBytes.length === 0 || length > MAX_SCRATCH_BYTES)
    return { values: { bytes: allocateUninitialised(length) }, strides };
  if (scratch.length < length) scratch = new Uint8Array(length);
  return { values: { bytes: scratch.subarray(0, length) }, strides };
}

/** A chunk as it is stored; all fill value where it is not. */
async function openChunk(context: ChunkContext, old: Uint8Array | undefined): Promise<OpenChunk> {
  const { layout, fill, maxChunkBytes } = context;
  const { dtype, shape } = layout.chain.rep;
  const { itemSize } = dtype;
  const chunk = emptyChunk(context);
  const to = stridesOf(shape, unitOf(itemSize));
  if (old === undefined) {
    const box = { from: 0, to: 0, dims: shape.map((count, i) => ({ count, from: 0, to: to[i] ?? 0 })) };
    await eachPiece(context, box, itemSize, (piece) =>
      fillValues(asValues(fill, dtype), chunk.values, piece.to, piece.dims, itemSize),
    );
    return chunk;
  }
  const limit = itemSize === null ? maxChunkBytes : sizeOf(shape) * itemSize;
  const decoding = decodeOld(context, old, limit);
  const decoded = decoding instanceof Promise ? await decoding : decoding;
  const dims = shape.map((count, i) => ({ count, from: decoded.strides[i] ?? 0, to: to[i] ?? 0 }));
  const copy = ({ from, to, dims }: BoxCopy): void =>
    copyValues(decoded.values, from, chunk.values, to, dims, itemSize);
  // What was decoded here lives until the next decode: no pause may come before all of it is copied.
  if (decoding !== decoded || isTrivial(layout.chain))
    await eachPiece(context, { from: 0, to: 0, dims }, itemSize, copy);
  else copy({ from: 0, to: 0, dims });
  if (decoding !== decoded && isLarge(decoded.values)) releaseBuffer(decoded.values.bytes.buffer);
  return chunk;
}

function isLarge(values: MutableValues | DecodedChunk['values']): values is { readonly bytes: Uint8Array } {
  return 'bytes' in values && values.bytes.length > largeChunkBytes;
}

function decodeOld(
  { layout: { chain }, threads: { pool, here }, signal }: ChunkContext,
  old: Uint8Array,
  limit: number,
): Promise<DecodedChunk> | DecodedChunk {
  if (chain.rep.dtype.itemSize === null) {
    const charged = sizeOf(chain.rep.shape) * chargedItemBytes(chain.rep.dtype);
    return decodeVariable(chain, old, charged, limit, pool, signal);
  }
  const isThreads = pool?.accepts(chain, limit) === true && (!here || limit > largeChunkBytes);
  if (pool === undefined || !isThreads) return decodeChunk(chain, old, limit);
  return decodeInPool(pool, chain, limit, old, signal);
}

/** Dimension by dimension: what lies beyond its extent, within that of the dimensions before it. */
async function fillBeyond(
  context: ChunkContext,
  values: MutableValues,
  strides: readonly number[],
  extent: readonly number[],
  until: readonly number[],
): Promise<void> {
  const { layout, fill } = context;
  const { itemSize } = layout.chain.rep.dtype;
  const lengths = layout.grid.dims.map((dim, d) => Math.min(dim.chunkSize, until[d] ?? Infinity));
  for (const [cut, length] of lengths.entries()) {
    const start = extent[cut] ?? 0;
    if (start >= length) continue;
    const dims: CopyDim[] = lengths.map((whole, d) => ({
      count: d < cut ? Math.min(extent[d] ?? 0, whole) : d === cut ? length - start : whole,
      from: 0,
      to: strides[d] ?? 0,
    }));
    await eachPiece(context, { from: 0, to: start * (strides[cut] ?? 0), dims }, itemSize, (piece) =>
      fillValues(asValues(fill, layout.chain.rep.dtype), values, piece.to, piece.dims, itemSize),
    );
  }
}

async function storeChunk(
  context: ChunkContext,
  values: MutableValues,
  old: Uint8Array | undefined,
  tally: { written: number; deleted: number; leftOut: number },
): Promise<Uint8Array | undefined> {
  const { layout, fill, writeEmptyChunks, threads, signal } = context;
  const isFill =
    !writeEmptyChunks &&
    (isLarge(values)
      ? await isAllFillInTurns(context, values.bytes)
      : isAllFill(values, layout.chain.rep.dtype, fill));
  if (isFill) {
    if (old === undefined) tally.leftOut++;
    else tally.deleted++;
    return undefined;
  }
  assertEncodable(values, context.maxChunkBytes);
  tally.written++;
  if ('items' in values && threads.pool !== undefined && layout.chain.modules !== undefined)
    if (!isQuicklyEncoded(itemBytes(values.items)))
      return threads.pool.encodeItems(layout.chain, values.items, signal);
  const elsewhere =
    'bytes' in values ? threads.pool?.encode(layout.chain, values.bytes, !threads.here, signal) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const encoded = encodeChunk(layout.chain, values);
  return encoded.buffer === scratch.buffer ? encoded.slice() : encoded;
}

async function isAllFillInTurns(
  { layout, fill, breathe }: ChunkContext,
  bytes: Uint8Array,
): Promise<boolean> {
  const { dtype } = layout.chain.rep;
  const step = Math.max(1, Math.floor(pieceBytes / (dtype.itemSize ?? 1))) * (dtype.itemSize ?? 1);
  for (let at = 0; at < bytes.length; at += step) {
    if (!isAllFill({ bytes: bytes.subarray(at, at + step) }, dtype, fill)) return false;
    await breathe();
  }
  return true;
}
