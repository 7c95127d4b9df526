/**
 * The index of a shard: for each inner chunk, in C order, offset and length of its bytes (sharding codec
 * specification 1.0, "Binary shard format"). Pure functions.
 */
import { defined } from '../../../../wire/guards.js';
import { decodeChunk, encodeChunk } from '../run-chain.js';
import type { ShardSpec } from '../codec.js';
import { CodecError } from '../../../core/errors.js';

/** Size of one entry in bytes: offset and length, 64 bits each. */
export const ENTRY_BYTES = 16;

/** Range of an inner chunk in its shard. */
export interface IndexEntry {
  readonly offset: number;
  readonly length: number;
}

/**
 * A decoded index. Entries are decoded on access, so that an index of millions of entries takes no
 * additional memory and no time in advance.
 */
export interface ShardIndex {
  /** Memory that the index keeps alive, in bytes. */
  readonly bytes: number;
  /**
   * @returns undefined for an empty inner chunk
   * @throws CodecError for an entry that points outside the shard
   */
  entry(i: number): IndexEntry | undefined;
}

const EMPTY_HALF = 0xffffffff;

/**
 * @param encoded exactly the stored index; the result is a view of it if the codecs do not change it and it
 * fills at least half of its buffer
 * @param shardBytes length of the whole shard if known, to validate entries
 * @throws CodecError or ChecksumError for an invalid index
 */
export function parseShardIndex(
  spec: ShardSpec,
  encoded: Uint8Array,
  shardBytes: number | undefined,
): ShardIndex {
  const { values, strides } = decodeChunk(spec.indexChain, encoded, spec.indexBytes);
  if ('items' in values) throw new CodecError('the shard index must consist of integers');
  // Copies the bytes, because the next decode overwrites results of codecs, and a small view would keep a
  // large buffer alive.
  const isOwn = values.bytes.buffer === encoded.buffer && encoded.buffer.byteLength <= 2 * encoded.length;
  const bytes = isOwn ? values.bytes : values.bytes.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lengthStride = strides[spec.counts.length] ?? 8;
  const position = entryPosition(spec.counts, strides);
  return {
    bytes: bytes.buffer.byteLength,
    entry: (i) => readEntry(view, i, position(i), lengthStride, shardBytes),
  };
}

/**
 * Creates an index from plain entries in C order.
 * @param bytes the entries without the checksum, which must be at least half of their buffer
 */
export function plainShardIndex(bytes: Uint8Array, shardBytes: number | undefined): ShardIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    bytes: bytes.buffer.byteLength,
    entry: (i) => readEntry(view, i, i * ENTRY_BYTES, 8, shardBytes),
  };
}

/**
 * @param at offset in `view` of the entry's first number
 * @param lengthStride number of bytes between the offset and the length of an entry
 */
export function readEntry(
  view: DataView,
  i: number,
  at: number,
  lengthStride: number,
  shardBytes: number | undefined,
): IndexEntry | undefined {
  const offsetLow = view.getUint32(at, true);
  const offsetHigh = view.getUint32(at + 4, true);
  const lengthLow = view.getUint32(at + lengthStride, true);
  const lengthHigh = view.getUint32(at + lengthStride + 4, true);
  const isEmpty =
    offsetLow === EMPTY_HALF &&
    offsetHigh === EMPTY_HALF &&
    lengthLow === EMPTY_HALF &&
    lengthHigh === EMPTY_HALF;
  if (isEmpty) return undefined;
  const offset = offsetHigh * 2 ** 32 + offsetLow;
  const length = lengthHigh * 2 ** 32 + lengthLow;
  // Beyond 2^53, the sum is rounded but still above every bound.
  if (offset + length <= (shardBytes ?? Number.MAX_SAFE_INTEGER)) return { offset, length };
  throw new CodecError(
    `the shard index places inner chunk ${i} at bytes ${offset} to ${offset + length}, outside the shard` +
      (shardBytes === undefined ? '' : ` of ${shardBytes} bytes`),
  );
}

/** Maps an entry number in C order to the byte position of its offset in the decoded index. */
function entryPosition(counts: readonly number[], strides: readonly number[]): (i: number) => number {
  let expected = ENTRY_BYTES;
  let inOrder = true;
  for (let d = counts.length - 1; d >= 0; d--) {
    if ((counts[d] ?? 1) > 1 && strides[d] !== expected) inOrder = false;
    expected *= counts[d] ?? 1;
  }
  if (inOrder) return (i) => i * ENTRY_BYTES;
  return (i) => {
    let rest = i;
    let at = 0;
    for (let d = counts.length - 1; d >= 0; d--) {
      const count = counts[d] ?? 1;
      at += (rest % count) * defined(strides[d]);
      rest = Math.floor(rest / count);
    }
    return at;
  };
}

/** Writes entry `i` of a decoded index in C order. @param entry undefined for an empty inner chunk */
export function writeEntry(view: DataView, i: number, entry: IndexEntry | undefined): void {
  const at = i * ENTRY_BYTES;
  const [offset, length] = [entry?.offset ?? 0, entry?.length ?? 0];
  view.setUint32(at, entry === undefined ? EMPTY_HALF : offset % 2 ** 32, true);
  view.setUint32(at + 4, entry === undefined ? EMPTY_HALF : Math.floor(offset / 2 ** 32), true);
  view.setUint32(at + 8, entry === undefined ? EMPTY_HALF : length % 2 ** 32, true);
  view.setUint32(at + 12, entry === undefined ? EMPTY_HALF : Math.floor(length / 2 ** 32), true);
}

/** @param decoded all entries in C order; see `writeEntry` */
export function encodeShardIndex(spec: ShardSpec, decoded: Uint8Array): Uint8Array {
  return encodeChunk(spec.indexChain, { bytes: decoded });
}
