/**
 * The framing of numcodecs' vlen codecs: the number of items, then each item's length and bytes; both numbers
 * are 4 bytes, little-endian.
 */
import { contentBytes, type Items, MISSING } from '../../bytes/items.js';
import { CodecError, InputError, LimitError } from '../../errors.js';
import { tooShort } from '../size.js';

const WORD = 4;

/**
 * Reads the items of a chunk. Their number and total length are checked before anything is allocated.
 * @param limit maximum total size of the items
 * @returns items that refer to a copy of `bytes`, including the framing
 * @throws CodecError unless there are exactly `count` items; LimitError beyond `limit`
 */
export function readFrames(codec: string, bytes: Uint8Array, count: number, limit: number): Items {
  if (bytes.length < WORD) throw tooShort(codec, bytes.length, WORD);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const stored = view.getUint32(0, true);
  if (stored !== count)
    throw new CodecError(`codec "${codec}": ${stored} items are stored; expected ${count}`);
  const needed = WORD + WORD * count;
  if (bytes.length < needed) throw tooShort(codec, bytes.length, needed);
  const total = bytes.length - needed;
  if (total > limit)
    throw new LimitError(
      `codec "${codec}": the chunk's items take ${total} bytes; at most ${limit} are allowed`,
      {
        excess: [{ limit: 'maxDecodedBytes', allowed: limit, needed: total }],
      },
    );
  const starts = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  let at = WORD;
  for (let i = 0; i < count; i++) {
    const length = at + WORD <= bytes.length ? view.getUint32(at, true) : Infinity;
    if (length > bytes.length - at - WORD)
      throw new CodecError(
        `codec "${codec}": item ${i} extends past the end of the chunk's ${bytes.length} bytes`,
      );
    starts[i] = at + WORD;
    lengths[i] = length;
    at += WORD + length;
  }
  if (at !== bytes.length)
    throw new CodecError(`codec "${codec}": ${bytes.length - at} extra bytes after the last item`);
  return { starts, lengths, bytes: new Uint8Array(bytes) };
}

/**
 * A missing item is stored as an empty item.
 * @throws InputError if a length or the count does not fit 32 bits
 */
export function writeFrames(codec: string, { starts, lengths, bytes }: Items): Uint8Array {
  const count = lengths.length;
  const total = WORD + WORD * count + contentBytes({ starts, lengths, bytes });
  if (count >= 2 ** 32 || total >= 2 ** 32)
    throw new InputError(
      `codec "${codec}": a chunk of ${count} items and ${total} bytes exceeds the maximum of 2^32 - 1`,
    );
  const result = new Uint8Array(total);
  const view = new DataView(result.buffer);
  view.setUint32(0, count, true);
  let at = WORD;
  for (let i = 0; i < count; i++) {
    const length = lengths[i] === MISSING ? 0 : (lengths[i] ?? 0);
    const start = starts[i] ?? 0;
    view.setUint32(at, length, true);
    at += WORD;
    if (length > 0) result.set(bytes.subarray(start, start + length), at);
    at += length;
  }
  return result;
}
