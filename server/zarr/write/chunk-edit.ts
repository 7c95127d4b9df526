/** Edits of single chunks: writes values into them, or clears what lies beyond the array. */
import { allocateUninitialised } from '#platform';
import { sizeOf, stridesOf } from '../bytes/shape.js';
import type { CopyDim } from '../bytes/strided-copy.js';
import { copyPieces, PIECE_BYTES, type BoxCopy } from '../bytes/copy-pieces.js';
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
import { copyInTurns, LARGE_CHUNK_BYTES, releaseBuffer } from '../read/pool/large-buffers.js';
import type { YieldToEventLoop } from '../yield-to-event-loop.js';
import { assertEncodable, sameValues, snapshot } from './chunk-values.js';
import type { Edit } from './edit.js';
import { copyIntoChunk, isWhole, isWithinArray, type WritePlan } from './plan.js';

/** The context that all edits of an array share. */
export interface ChunkContext {
  readonly layout: InnerChunkLayout;
  readonly fill: Element;
  /** Store chunks even if all their elements have the fill value. */
  readonly writeEmptyChunks: boolean;
  /** Maximum size of the values of variable length in one chunk. */
  readonly maxChunkBytes: number;
  readonly threads: EditThreads;
  readonly signal: AbortSignal | undefined;
  /** Called between pieces of a large chunk. */
  readonly yieldToEventLoop: YieldToEventLoop;
}

/** Where chunks are encoded, and old ones decoded. */
export interface EditThreads {
  /** Without a pool, everything runs inline. */
  readonly pool: CodecPool | undefined;
  /** Whether small chunks are processed inline while all threads are busy. */
  readonly here: boolean;
}

/**
 * Writes a task's values into its chunk. Stored elements beyond the array's edge are kept: the array may have
 * grown since this writer read its metadata. Growing an array clears them.
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
      // Without an unnecessary pause: small chunks share one scratch buffer.
      if (copying !== undefined) await copying;
      return storeChunk(context, values, old, tally);
    },
  };
}

/** Old bytes may be unreadable if everything within the array is overwritten. */
export function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH')) return undefined;
    throw error;
  }
}

/** Asynchronous `unlessBroken`. */
async function unlessBrokenChunk<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    return unlessBroken(() => {
      throw error;
    });
  }
}

/** Copies a large chunk in pieces, with pauses. @returns undefined if it was small, and has been copied */
function eachPiece(
  { yieldToEventLoop }: ChunkContext,
  copy: BoxCopy,
  itemSize: number | null,
  run: (piece: BoxCopy) => void,
): Promise<void> | undefined {
  const unit = unitOf(itemSize);
  const count = copy.dims.reduce((product, dim) => product * dim.count, 1);
  if (count * unit > LARGE_CHUNK_BYTES) return runPieces(copyPieces(copy, unit), run, yieldToEventLoop);
  run(copy);
  return undefined;
}

async function runPieces(
  pieces: Iterable<BoxCopy>,
  run: (piece: BoxCopy) => void,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  for (const piece of pieces) {
    run(piece);
    await yieldToEventLoop();
  }
}

/** A part of a chunk or array that starts at its origin; elements along each dimension. */
export interface Cut {
  readonly keep: readonly number[];
  /** Elements beyond this are kept; Infinity for none. */
  readonly until: readonly number[];
}

/** Sets everything in a chunk beyond `keep` to the fill value. */
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
      if (await sameValues(before, values, context.yieldToEventLoop)) return old;
      return storeChunk(context, values, old, tally);
    },
  };
}

/**
 * Reused, since chunks are gathered and encoded one after the other: page faults on fresh memory would cost
 * as much as gathering.
 */
let scratch = new Uint8Array(0);
const MAX_SCRATCH_BYTES = LARGE_CHUNK_BYTES;

interface OpenChunk {
  /** In C order of the chunk as its codecs see it. */
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

/**
 * For a chunk of which every value is written. Its initial contents are undefined, and the buffer is reused
 * for the next one.
 */
function uninitialisedChunk(context: ChunkContext): OpenChunk {
  const { rep, bytesToBytes } = context.layout.chain;
  const length = sizeOf(rep.shape) * (rep.dtype.itemSize ?? Infinity);
  const strides = stridesInChunk(context);
  if (!Number.isFinite(length)) return emptyChunk(context);
  // Without compression, the store receives and keeps the buffer itself.
  if (bytesToBytes.length === 0 || length > MAX_SCRATCH_BYTES)
    return { values: { bytes: allocateUninitialised(length) }, strides };
  if (scratch.length < length) scratch = new Uint8Array(length);
  return { values: { bytes: scratch.subarray(0, length) }, strides };
}

/** A stored chunk; all fill value if it is missing. */
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
  // Decoded values are valid until the next decode: they must be copied before any pause.
  if (decoding !== decoded || isTrivial(layout.chain))
    await eachPiece(context, { from: 0, to: 0, dims }, itemSize, copy);
  else copy({ from: 0, to: 0, dims });
  if (decoding !== decoded && isLarge(decoded.values)) releaseBuffer(decoded.values.bytes.buffer);
  return chunk;
}

function isLarge(values: MutableValues | DecodedChunk['values']): values is { readonly bytes: Uint8Array } {
  return 'bytes' in values && values.bytes.length > LARGE_CHUNK_BYTES;
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
  const isThreads = pool?.accepts(chain, limit) === true && (!here || limit > LARGE_CHUNK_BYTES);
  if (pool === undefined || !isThreads) return decodeChunk(chain, old, limit);
  return decodeInPool(pool, chain, limit, old, signal);
}

/** For each dimension, fills what lies beyond its extent, within the extents of the previous dimensions. */
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
  { layout, fill, yieldToEventLoop }: ChunkContext,
  bytes: Uint8Array,
): Promise<boolean> {
  const { dtype } = layout.chain.rep;
  const step = Math.max(1, Math.floor(PIECE_BYTES / (dtype.itemSize ?? 1))) * (dtype.itemSize ?? 1);
  for (let at = 0; at < bytes.length; at += step) {
    if (!isAllFill({ bytes: bytes.subarray(at, at + step) }, dtype, fill)) return false;
    await yieldToEventLoop();
  }
  return true;
}
