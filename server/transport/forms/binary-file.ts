/**
 * Files with a header followed by the values, little-endian in C order. Their length is known, so they
 * support ranges.
 */
import { fixedItemSize, type LazySlice, sizeOf, UnsupportedError } from '../../zarr/index.js';
import { type ReadParts, type SliceFile, startWith } from './form.js';

/** Bytes per piece. */
const PIECE_BYTES = 2 ** 16;

/** @param slice slice of a data type of fixed size */
export function binaryFile(slice: LazySlice, header: Uint8Array): SliceFile {
  const itemSize = fixedItemSize(slice.dtype);
  const byteLength = header.length + sizeOf(slice.shape) * itemSize;
  return {
    byteLength,
    pieces: (read, from, to) => {
      const start = header.length;
      const values = bytePieces(slice, itemSize, read, Math.max(0, from - start), to - start);
      return from < start ? startWith(header.subarray(from, to), values) : values;
    },
  };
}

export function withoutBytes({ dtypeName, where }: LazySlice): UnsupportedError {
  return new UnsupportedError(
    `values of type ${dtypeName} cannot be written as plain bytes; use the format CSV or JSON`,
    { where },
  );
}

/** Reads bytes `from` (inclusive) to `to` (exclusive) of the values. */
async function* bytePieces(
  slice: LazySlice,
  itemSize: number,
  read: ReadParts,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  if (itemSize === 0 || to <= from) return;
  const range = { from: Math.floor(from / itemSize), to: Math.ceil(to / itemSize) };
  for await (const part of read(slice, range)) {
    if (!('bytes' in part.block)) throw withoutBytes(slice);
    const start = part.from * itemSize;
    const bytes = part.block.bytes.subarray(Math.max(0, from - start), to - start);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      yield Buffer.from(bytes.subarray(at, at + PIECE_BYTES));
  }
}
