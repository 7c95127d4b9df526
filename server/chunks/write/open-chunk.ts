/** Provides the values of a chunk in memory before they are changed. */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { copyPieces, type BoxCopy } from '../../core/bytes/strided-copy.js';
import {
  allocateValues,
  copyValues,
  fillValues,
  unitOf,
  type MutableValues,
} from '../../core/bytes/values.js';
import { isTrivial } from '../../format/codec/run-chain.js';
import { decodeChunk, type DecodedChunk } from '../../format/codec/run-chain.js';
import { asValues } from '../../core/dtype/item-values.js';
import { chargedItemBytes } from '../../core/dtype/data-type.js';
import { decodeInPool, decodeVariable } from '../../threads/decode-in-pool.js';
import { releaseBuffer } from '../../core/bytes/buffer-pool.js';
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import { inArrayOrder, type ChunkForm } from '../../format/plan/layout.js';
import type { Pause } from '../../core/turns.js';
import type { ChunkContext } from './edit.js';

interface OpenChunk {
  /** Values in C order on the decoded side of the codec chain. */
  readonly values: MutableValues;
  /** Strides of the values, by the dimensions of the array. */
  readonly strides: readonly number[];
}

/** A chunk with undefined values. @param form form of the chunk @param memory memory for fixed-size values */
export function uninitialisedChunk(
  { layout }: ChunkContext,
  { chain }: ChunkForm,
  memory: Uint8Array | undefined,
): OpenChunk {
  const { dtype, shape } = chain.rep;
  const values = memory === undefined ? allocateValues(dtype.itemSize, sizeOf(shape)) : { bytes: memory };
  return { values, strides: inArrayOrder(stridesOf(shape, unitOf(dtype.itemSize)), layout.axes) };
}

/** Reads a stored chunk; returns fill values if it is absent. */
export async function openChunk(
  context: ChunkContext,
  form: ChunkForm,
  old: Uint8Array | undefined,
  memory: Uint8Array | undefined,
): Promise<OpenChunk> {
  const { fill, maxChunkBytes } = context;
  const { dtype, shape } = form.chain.rep;
  const { itemSize } = dtype;
  const chunk = uninitialisedChunk(context, form, memory);
  const to = stridesOf(shape, unitOf(itemSize));
  if (old === undefined) {
    const box = { from: 0, to: 0, dims: shape.map((count, i) => ({ count, from: 0, to: defined(to[i]) })) };
    await eachPiece(context, box, itemSize, (piece) =>
      fillValues(asValues(fill, dtype), chunk.values, piece.to, piece.dims, itemSize),
    );
    return chunk;
  }
  const limit = itemSize === null ? maxChunkBytes : sizeOf(shape) * itemSize;
  const decoding = decodeOld(context, form, old, limit);
  const decoded = decoding instanceof Promise ? await decoding : decoding;
  const dims = shape.map((count, i) => ({ count, from: defined(decoded.strides[i]), to: defined(to[i]) }));
  const copy = ({ from, to, dims }: BoxCopy): void =>
    copyValues(decoded.values, from, chunk.values, to, dims, itemSize);
  // Decoded values are valid until the next decode, so they must be copied before yielding.
  if (decoding !== decoded || isTrivial(form.chain))
    await eachPiece(context, { from: 0, to: 0, dims }, itemSize, copy);
  else copy({ from: 0, to: 0, dims });
  if (decoding !== decoded && isLarge(decoded.values)) releaseBuffer(decoded.values.bytes.buffer);
  return chunk;
}

export function isLarge(
  values: MutableValues | DecodedChunk['values'],
): values is { readonly bytes: Uint8Array } {
  return 'bytes' in values && values.bytes.length > LARGE_CHUNK_BYTES;
}

function decodeOld(
  { threads: { pool, here }, signal }: ChunkContext,
  { chain }: ChunkForm,
  old: Uint8Array,
  limit: number,
): Promise<DecodedChunk> | DecodedChunk {
  if (chain.rep.dtype.itemSize === null) {
    const charged = sizeOf(chain.rep.shape) * chargedItemBytes(chain.rep.dtype);
    return decodeVariable(chain, old, charged, limit, pool, signal);
  }
  const usesPool = pool?.accepts(chain, limit) === true && (!here || limit > LARGE_CHUNK_BYTES);
  if (pool === undefined || !usesPool) return decodeChunk(chain, old, limit);
  return decodeInPool(pool, chain, limit, old, signal);
}

/**
 * Copies a large chunk in pieces, and yields in between.
 * @returns undefined if the chunk is small and has been copied
 */
export function eachPiece(
  { pause }: ChunkContext,
  copy: BoxCopy,
  itemSize: number | null,
  run: (piece: BoxCopy) => void,
): Promise<void> | undefined {
  const unit = unitOf(itemSize);
  const count = copy.dims.reduce((product, dim) => product * dim.count, 1);
  if (count * unit > LARGE_CHUNK_BYTES) return runPieces(copyPieces(copy, unit), run, pause);
  run(copy);
  return undefined;
}

async function runPieces(
  pieces: Iterable<BoxCopy>,
  run: (piece: BoxCopy) => void,
  pause: Pause,
): Promise<void> {
  for (const piece of pieces) {
    run(piece);
    await pause();
  }
}
