/**
 * The framing that numcodecs' vlen codecs share: a count of items, then each item's length and bytes; both numbers
 * are 4 bytes, little-endian.
 */
import { CodecError, InputError, LimitError } from '../errors.js';
import { tooShort } from './size.js';

const WORD = 4;

/**
 * Calls `visit` with every item's place in `bytes`. The count and all lengths are checked before the first call, so
 * that nothing is made of a forged header.
 * @param limit bytes of all items together
 * @throws CodecError where there are not exactly `count` items, LimitError above `limit`
 */
export function readFrames(
  codec: string,
  bytes: Uint8Array,
  count: number,
  limit: number,
  visit: (start: number, end: number) => void,
): void {
  if (bytes.length < WORD) throw tooShort(codec, bytes.length, WORD);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const stored = view.getUint32(0, true);
  if (stored !== count)
    throw new CodecError(`codec "${codec}": ${stored} items are stored, the chunk takes ${count}`);
  const needed = WORD + WORD * count;
  if (bytes.length < needed) throw tooShort(codec, bytes.length, needed);
  const total = bytes.length - needed;
  if (total > limit)
    throw new LimitError(`codec "${codec}": the chunk's items take ${total} bytes, ${limit} are allowed`, {
      excess: [{ limit: 'maxDecodedBytes', allowed: limit, needed: total }],
    });
  checkFrames(codec, view, count);
  for (let i = 0, at = WORD; i < count; i++) {
    const start = at + WORD;
    at = start + view.getUint32(at, true);
    visit(start, at);
  }
}

function checkFrames(codec: string, view: DataView, count: number): void {
  let at = WORD;
  for (let i = 0; i < count; i++) {
    const length = at + WORD <= view.byteLength ? view.getUint32(at, true) : Infinity;
    if (length > view.byteLength - at - WORD)
      throw new CodecError(
        `codec "${codec}": item ${i} reaches past the end of the chunk's ${view.byteLength} bytes`,
      );
    at += WORD + length;
  }
  if (at !== view.byteLength)
    throw new CodecError(`codec "${codec}": ${view.byteLength - at} bytes lie behind the last item`);
}

/** @throws InputError where a length or the count does not fit 32 bits */
export function writeFrames(codec: string, items: readonly Uint8Array[]): Uint8Array {
  let length = WORD;
  for (const item of items) length += WORD + item.length;
  if (items.length >= 2 ** 32 || length >= 2 ** 32)
    throw new InputError(
      `codec "${codec}": a chunk of ${items.length} items and ${length} bytes is too large`,
    );
  const result = new Uint8Array(length);
  const view = new DataView(result.buffer);
  view.setUint32(0, items.length, true);
  let at = WORD;
  for (const item of items) {
    view.setUint32(at, item.length, true);
    result.set(item, at + WORD);
    at += WORD + item.length;
  }
  return result;
}
