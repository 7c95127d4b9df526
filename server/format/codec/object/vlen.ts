/**
 * numcodecs' `vlen-utf8` and `vlen-bytes`, which v3 registers for the data types `string` and
 * `variable_length_bytes` (`bytes`). As in numcodecs, null is stored and read as an empty element.
 * The framing of numcodecs' vlen codecs: the number of elements, then each element's length and
 * bytes; both numbers are 4 bytes, little-endian.
 */
import { defined } from '../../../../wire/guards.js';
import { contentBytes, type Items, MISSING } from '../../../core/bytes/items.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import { isUtf8 } from '../../../core/bytes/text.js';
import type { TypeName } from '../../../core/dtype/data-type.js';
import { CodecError, InputError, LimitError, MetadataError } from '../../../core/errors.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { atMost, tooShort } from '../size.js';

export const LENGTH_BYTES = 4;

/**
 * Reads the elements of a chunk. Their number and total length are checked before anything is allocated.
 * @param limit maximum total size of the elements
 * @returns elements that refer to a copy of `bytes`, including the framing
 * @throws CodecError unless there are exactly `count` elements; LimitError beyond `limit`
 */
export function readFrames(codec: string, bytes: Uint8Array, count: number, limit: number): Items {
  if (bytes.length < LENGTH_BYTES) throw tooShort(codec, bytes.length, LENGTH_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const stored = view.getUint32(0, true);
  if (stored !== count)
    throw new CodecError(`codec "${codec}": ${stored} elements are stored; expected ${count}`);
  const needed = LENGTH_BYTES + LENGTH_BYTES * count;
  if (bytes.length < needed) throw tooShort(codec, bytes.length, needed);
  const total = bytes.length - needed;
  if (total > limit)
    throw new LimitError(
      `codec "${codec}": the chunk's elements take ${total} bytes; at most ${limit} are allowed`,
      {
        excess: [{ limit: 'maxDecodedBytes', allowed: limit, needed: total }],
      },
    );
  const starts = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  let at = LENGTH_BYTES;
  for (let i = 0; i < count; i++) {
    const length = at + LENGTH_BYTES <= bytes.length ? view.getUint32(at, true) : Infinity;
    if (length > bytes.length - at - LENGTH_BYTES)
      throw new CodecError(
        `codec "${codec}": element ${i} extends past the end of the chunk's ${bytes.length} bytes`,
      );
    starts[i] = at + LENGTH_BYTES;
    lengths[i] = length;
    at += LENGTH_BYTES + length;
  }
  if (at !== bytes.length)
    throw new CodecError(`codec "${codec}": ${bytes.length - at} extra bytes after the last element`);
  return { starts, lengths, bytes: new Uint8Array(bytes) };
}

/**
 * A missing element is stored as an empty one.
 * @throws InputError if a length or the count does not fit in 32 bits
 */
export function writeFrames(codec: string, { starts, lengths, bytes }: Items): Uint8Array {
  const count = lengths.length;
  const total = LENGTH_BYTES + LENGTH_BYTES * count + contentBytes({ starts, lengths, bytes });
  if (count >= 2 ** 32 || total >= 2 ** 32)
    throw new InputError(
      `codec "${codec}": the chunk has ${count} elements and ${total} encoded bytes; at most 2^32 - 1 of each are allowed`,
    );
  const result = new Uint8Array(total);
  const view = new DataView(result.buffer);
  view.setUint32(0, count, true);
  let at = LENGTH_BYTES;
  for (let i = 0; i < count; i++) {
    const length = lengths[i] === MISSING ? 0 : defined(lengths[i]);
    const start = defined(starts[i]);
    view.setUint32(at, length, true);
    at += LENGTH_BYTES;
    if (length > 0) result.set(bytes.subarray(start, start + length), at);
    at += length;
  }
  return result;
}

export const vlenUtf8Codec = vlenCodec('vlen-utf8', 'string', ({ bytes, starts, lengths }) => {
  for (let i = 0; i < starts.length; i++) {
    const start = defined(starts[i]);
    if (!isUtf8(bytes, start, start + defined(lengths[i])))
      throw new CodecError(`codec "vlen-utf8": element ${i} is not UTF-8`);
  }
});

export const vlenBytesCodec = vlenCodec('vlen-bytes', 'variable_length_bytes', () => undefined);

/** @param check function that throws for elements that the data type cannot represent */
function vlenCodec(name: string, type: TypeName, check: (items: Items) => void): ArrayToBytesCodec {
  return {
    kind: 'array-to-bytes',
    name,
    create(configuration, rep) {
      checkOptions(name, configuration, []);
      checkType(name, rep, type);
      return {
        encodedSize: atMost(Infinity),
        decode(bytes, limit) {
          const items = readFrames(name, bytes, sizeOf(rep.shape), limit);
          check(items);
          return { items };
        },
        encode: (values) => writeFrames(name, itemsToEncode(name, values, rep)),
      };
    },
  };
}

/** @throws MetadataError if the codec does not support the data type of its input */
export function checkType(codec: string, rep: ChunkRep, ...names: readonly TypeName[]): void {
  if (names.includes(rep.dtype.name)) return;
  throw new MetadataError(
    `codec "${codec}" requires data type ${names.join(' or ')}, but its input is ${rep.dtype.name}`,
  );
}

/** The elements to encode. @throws InputError if their number differs from the chunk's */
export function itemsToEncode(codec: string, values: ChunkValues, rep: ChunkRep): Items {
  const expected = sizeOf(rep.shape);
  const count = 'items' in values ? values.items.lengths.length : 0;
  if ('items' in values && count === expected) return values.items;
  throw new InputError(`codec "${codec}": got ${count} elements; expected ${expected}`);
}
