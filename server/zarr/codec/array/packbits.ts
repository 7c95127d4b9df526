/**
 * `packbits`, a registered extension of v3, array -> bytes: some bits of each value, one value right behind the other.
 * Not numcodecs' filter of that name (filter/packbits.ts), which knows booleans alone and begins at the high end of a
 * byte.
 */
import { sizeOf } from '../../bytes/shape.js';
import { isNumberName } from '../../dtype/number-types.js';
import { CodecError, MetadataError, UnsupportedError } from '../../errors.js';
import type { ArrayToBytesCodec, ChunkRep } from '../codec.js';
import { checkOptions, readChoice, readInteger } from '../configuration.js';
import { checkSize, exactly } from '../size.js';

export interface PackBitsConfiguration {
  /** Bytes of a number: a value, or one half of a complex one. */
  readonly width: number;
  readonly firstBit: number;
  /** Bits of a number that are stored, from `firstBit` upwards. */
  readonly bits: number;
  /** Whether the highest stored bit is the sign. */
  readonly signed: boolean;
  /** Where a byte tells how many bits at the end mean nothing. */
  readonly padding: 'none' | 'first_byte' | 'last_byte';
}

const NAME = 'packbits';

export const packBitsCodec: ArrayToBytesCodec<PackBitsConfiguration> = {
  kind: 'array-to-bytes',
  name: NAME,

  parse(configuration, rep) {
    checkOptions(NAME, configuration, ['padding_encoding', 'first_bit', 'last_bit']);
    const { name, itemSize } = rep.dtype;
    if (!isNumberName(name) || itemSize === null)
      throw new UnsupportedError(`codec "${NAME}": it cannot work with values of the type ${name}`);
    const width = name.startsWith('complex') ? itemSize / 2 : itemSize;
    const all = name === 'bool' ? 1 : width * 8;
    const bounds = { min: 0, max: all - 1 };
    const firstBit = readInteger(NAME, configuration, 'first_bit', { ...bounds, absent: 0 });
    const lastBit = readInteger(NAME, configuration, 'last_bit', { ...bounds, absent: all - 1 });
    if (lastBit < firstBit)
      throw new MetadataError(`codec "${NAME}": "last_bit" is ${lastBit}, below "first_bit", ${firstBit}`);
    const padding = readChoice(NAME, configuration, 'padding_encoding', ['none', 'first_byte', 'last_byte'], 'none'); // prettier-ignore
    return { width, firstBit, bits: lastBit - firstBit + 1, signed: name.startsWith('int'), padding };
  },

  encodedSize: (configuration, rep) => exactly(storedBytes(configuration, rep)),

  decode(configuration, bytes, rep) {
    const expected = storedBytes(configuration, rep);
    if (bytes.length !== expected)
      throw new CodecError(`codec "${NAME}": ${bytes.length} bytes are stored, ${expected} are expected`);
    const { width, firstBit, bits, signed } = configuration;
    const stored = withoutPadding(configuration, bytes, rep);
    const result = new Uint8Array(sizeOf(rep.shape) * (rep.dtype.itemSize ?? 0));
    for (let at = 0, from = 0; at < result.length; at += width) {
      let bit = 0;
      for (let to = firstBit; to < firstBit + bits; to++, from++) {
        bit = ((stored[from >> 3] ?? 0) >> (from & 7)) & 1;
        setBit(result, at, to, bit);
      }
      if (signed && bit === 1) for (let to = firstBit + bits; to < width * 8; to++) setBit(result, at, to, 1);
    }
    return { bytes: result };
  },

  encode(configuration, values, rep) {
    const { width, firstBit, bits, padding } = configuration;
    if (!('bytes' in values)) throw new CodecError(`codec "${NAME}": values of variable length cannot be stored with it`); // prettier-ignore
    checkSize(NAME, values.bytes.length, exactly(sizeOf(rep.shape) * (rep.dtype.itemSize ?? 0)));
    const result = new Uint8Array(storedBytes(configuration, rep));
    const start = padding === 'first_byte' ? 1 : 0;
    let to = 0;
    for (let at = 0; at < values.bytes.length; at += width)
      for (let from = firstBit; from < firstBit + bits; from++, to++)
        setBit(result, start, to, ((values.bytes[at + (from >> 3)] ?? 0) >> (from & 7)) & 1);
    if (padding !== 'none') result[start === 1 ? 0 : result.length - 1] = paddingBits(to);
    return result;
  },
};

function setBit(bytes: Uint8Array, start: number, bit: number, value: number): void {
  const at = start + (bit >> 3);
  bytes[at] = (bytes[at] ?? 0) | (value << (bit & 7));
}

function paddingBits(bits: number): number {
  return (8 - (bits % 8)) % 8;
}

function bitsOf({ width, bits }: PackBitsConfiguration, { shape, dtype }: ChunkRep): number {
  return sizeOf(shape) * ((dtype.itemSize ?? 0) / width) * bits;
}

function storedBytes(configuration: PackBitsConfiguration, rep: ChunkRep): number {
  return Math.ceil(bitsOf(configuration, rep) / 8) + (configuration.padding === 'none' ? 0 : 1);
}

/** @throws CodecError where the count of padding bits is another one */
function withoutPadding(configuration: PackBitsConfiguration, bytes: Uint8Array, rep: ChunkRep): Uint8Array {
  const { padding } = configuration;
  if (padding === 'none') return bytes;
  const told = bytes[padding === 'first_byte' ? 0 : bytes.length - 1];
  const expected = paddingBits(bitsOf(configuration, rep));
  if (told !== expected)
    throw new CodecError(
      `codec "${NAME}": ${told} padding bits are told, a chunk of this shape has ${expected}`,
    );
  return padding === 'first_byte' ? bytes.subarray(1) : bytes.subarray(0, -1);
}
