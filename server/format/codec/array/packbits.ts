/**
 * `packbits`, a registered extension of v3, array to bytes: some bits of each value, packed without gaps.
 * Differs from numcodecs' filter of the same name (filter/packbits.ts), which supports only booleans and
 * starts at the high end of a byte.
 */
import type { JsonObject } from '../../../core/bytes/json.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import { fixedItemSize, isNumberName } from '../../../core/dtype/data-type.js';
import { CodecError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import type { ArrayToBytesCodec, ChunkRep } from '../codec.js';
import { checkOptions, readChoice, readInteger } from '../configuration.js';
import { checkSize, exactly } from '../size.js';

interface PackBits {
  /** Size, in bytes, of a number, which is a value or one part of a complex value. */
  readonly width: number;
  readonly firstBit: number;
  /** Number of stored bits of a number, from `firstBit` upwards. */
  readonly bits: number;
  /** Whether the highest stored bit is the sign. */
  readonly signed: boolean;
  /** Whether and where a byte stores the number of padding bits. */
  readonly padding: 'none' | 'first_byte' | 'last_byte';
}

const NAME = 'packbits';

export const packBitsCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: NAME,
  create(configuration, rep) {
    const options = parseOptions(configuration, rep);
    const decodedBytes = sizeOf(rep.shape) * fixedItemSize(rep.dtype);
    const totalBits = (decodedBytes / options.width) * options.bits;
    const storedBytes = Math.ceil(totalBits / 8) + (options.padding === 'none' ? 0 : 1);
    return {
      encodedSize: exactly(storedBytes),

      decode(bytes) {
        if (bytes.length !== storedBytes)
          throw new CodecError(`codec "${NAME}": ${bytes.length} bytes are stored; expected ${storedBytes}`);
        const result = new Uint8Array(decodedBytes);
        unpack(withoutPadding(bytes, totalBits, options), result, options);
        return { bytes: result };
      },

      encode(values) {
        if (!('bytes' in values))
          throw new CodecError(`codec "${NAME}": values of variable length are not supported`);
        checkSize(NAME, values.bytes.length, exactly(decodedBytes));
        const result = new Uint8Array(storedBytes);
        pack(values.bytes, result, options);
        return result;
      },
    };
  },
};

function parseOptions(configuration: JsonObject, rep: ChunkRep): PackBits {
  checkOptions(NAME, configuration, ['padding_encoding', 'first_bit', 'last_bit']);
  const { name, itemSize } = rep.dtype;
  if (!isNumberName(name) || itemSize === null)
    throw new UnsupportedError(`codec "${NAME}": unsupported data type ${name}`);
  const width = name.startsWith('complex') ? itemSize / 2 : itemSize;
  const all = name === 'bool' ? 1 : (rep.bits ?? width * 8);
  const bounds = { min: 0, max: all - 1 };
  const firstBit = readInteger(NAME, configuration, 'first_bit', { ...bounds, absent: 0 });
  const lastBit = readInteger(NAME, configuration, 'last_bit', { ...bounds, absent: all - 1 });
  if (lastBit < firstBit)
    throw new MetadataError(
      `codec "${NAME}": "last_bit" is ${lastBit}; expected at least "first_bit" (${firstBit})`,
    );
  const padding = readChoice(NAME, configuration, 'padding_encoding', ['none', 'first_byte', 'last_byte'], 'none'); // prettier-ignore
  return { width, firstBit, bits: lastBit - firstBit + 1, signed: name.startsWith('int'), padding };
}

function unpack(stored: Uint8Array, result: Uint8Array, { width, firstBit, bits, signed }: PackBits): void {
  for (let at = 0, from = 0; at < result.length; at += width) {
    let bit = 0;
    for (let to = firstBit; to < firstBit + bits; to++, from++) {
      bit = (stored[from >> 3] >> (from & 7)) & 1;
      setBit(result, at, to, bit);
    }
    if (signed && bit === 1) for (let to = firstBit + bits; to < width * 8; to++) setBit(result, at, to, 1);
  }
}

function pack(bytes: Uint8Array, result: Uint8Array, { width, firstBit, bits, padding }: PackBits): void {
  const start = padding === 'first_byte' ? 1 : 0;
  let to = 0;
  for (let at = 0; at < bytes.length; at += width)
    for (let from = firstBit; from < firstBit + bits; from++, to++)
      setBit(result, start, to, (bytes[at + (from >> 3)] >> (from & 7)) & 1);
  if (padding !== 'none') result[start === 1 ? 0 : result.length - 1] = paddingBits(to);
}

function setBit(bytes: Uint8Array, start: number, bit: number, value: number): void {
  const at = start + (bit >> 3);
  bytes[at] = bytes[at] | (value << (bit & 7));
}

function paddingBits(bits: number): number {
  return (8 - (bits % 8)) % 8;
}

/** @throws CodecError if the stored number of padding bits is wrong */
function withoutPadding(bytes: Uint8Array, totalBits: number, { padding }: PackBits): Uint8Array {
  if (padding === 'none') return bytes;
  const declared = bytes[padding === 'first_byte' ? 0 : bytes.length - 1];
  const expected = paddingBits(totalBits);
  if (declared !== expected)
    throw new CodecError(
      `codec "${NAME}": ${declared} padding bits are declared; a chunk of this shape has ${expected}`,
    );
  return padding === 'first_byte' ? bytes.subarray(1) : bytes.subarray(0, -1);
}
