/** The encoded inner chunks of a shard in memory: extracts them, and joins them to a new shard. */
import { sizeOf } from '../../../core/bytes/shape.js';
import { crc32c } from '#crc';
import { assertIndexSize, hasPlainChecksum } from './index-cost.js';
import { encodeShardIndex, ENTRY_BYTES, parseShardIndex, writeEntry } from './shard-index.js';
import { CodecError } from '../../../core/errors.js';
import type { ShardSpec } from '../codec.js';

/** Encoded inner chunks by their index in C order; undefined for empty ones. */
export interface ShardParts {
  readonly part: (i: number) => Uint8Array | undefined;
}

export const noParts: ShardParts = { part: () => undefined };

/**
 * @returns views of `shard`, created on access
 * @throws CodecError or ChecksumError for an invalid index; LimitError for an index that is too large
 */
export function openShard(spec: ShardSpec, shard: Uint8Array): ShardParts {
  assertIndexSize(spec);
  if (shard.length < spec.indexBytes)
    throw new CodecError(`the shard has ${shard.length} bytes, fewer than its index of ${spec.indexBytes}`);
  const indexAt = spec.indexLocation === 'start' ? 0 : shard.length - spec.indexBytes;
  const index = parseShardIndex(spec, shard.subarray(indexAt, indexAt + spec.indexBytes), shard.length);
  return {
    part(i) {
      const entry = index.entry(i);
      return entry === undefined ? undefined : shard.subarray(entry.offset, entry.offset + entry.length);
    },
  };
}

/** Number of parts to process before yielding. */
const PARTS_PER_TURN = 32_768;
/** Number of bytes to copy before yielding. */
const BYTES_PER_TURN = 4 * 2 ** 20;

/**
 * Joins parts to a shard without gaps. Yields every few milliseconds.
 * @returns undefined if all parts are empty
 */
export function* joinShard(
  spec: ShardSpec,
  { part }: ShardParts,
): Generator<undefined, Uint8Array | undefined> {
  const count = sizeOf(spec.counts);
  let partBytes = 0;
  let stored = 0;
  for (let i = 0; i < count; i++) {
    const bytes = part(i);
    if (bytes !== undefined) stored++;
    partBytes += bytes?.length ?? 0;
    if (i % PARTS_PER_TURN === PARTS_PER_TURN - 1) yield;
  }
  if (stored === 0) return undefined;
  const shard = new Uint8Array(partBytes + spec.indexBytes);
  const decodedIndex = new Uint8Array(count * ENTRY_BYTES);
  const entries = new DataView(decodedIndex.buffer);
  let end = spec.indexLocation === 'start' ? spec.indexBytes : 0;
  let copied = 0;
  for (let i = 0; i < count; i++) {
    const bytes = part(i);
    writeEntry(entries, i, bytes === undefined ? undefined : { offset: end, length: bytes.length });
    if (i % PARTS_PER_TURN === PARTS_PER_TURN - 1) yield;
    if (bytes === undefined) continue;
    for (let from = 0; from < bytes.length; from += BYTES_PER_TURN) {
      const piece = bytes.subarray(from, from + BYTES_PER_TURN);
      shard.set(piece, end + from);
      copied += piece.length;
      if (copied < BYTES_PER_TURN) continue;
      copied = 0;
      yield;
    }
    end += bytes.length;
  }
  yield;
  yield* placeIndex(spec, decodedIndex, shard, spec.indexLocation === 'start' ? 0 : end);
  return shard;
}

/** Encodes an index into a shard; yields between pieces. @param indexAt offset of the index */
export function* placeIndex(
  spec: ShardSpec,
  decodedIndex: Uint8Array,
  shard: Uint8Array,
  indexAt: number,
): Generator<undefined, void> {
  if (hasPlainChecksum(spec)) {
    let crc = 0;
    for (let from = 0; from < decodedIndex.length; from += BYTES_PER_TURN) {
      const piece = decodedIndex.subarray(from, from + BYTES_PER_TURN);
      crc = crc32c(piece, crc);
      shard.set(piece, indexAt + from);
      yield;
    }
    new DataView(shard.buffer, shard.byteOffset).setUint32(indexAt + decodedIndex.length, crc, true);
    return;
  }
  const index = encodeShardIndex(spec, decodedIndex);
  for (let from = 0; from < index.length; from += BYTES_PER_TURN) {
    yield;
    shard.set(index.subarray(from, from + BYTES_PER_TURN), indexAt + from);
  }
}

/** Joins parts without yielding, for codecs, which are synchronous. */
export function joinShardAtOnce(spec: ShardSpec, parts: ShardParts): Uint8Array | undefined {
  const joining = joinShard(spec, parts);
  for (;;) {
    const step = joining.next();
    if (step.done === true) return step.value;
  }
}
