/**
 * `bytes`: fixed-size values in C order with a byte order (v3 specification of the bytes codec).
 *
 * In addition to the specified `endian` "little" and "big", the engine defines "mixed" for v2 structs whose fields
 * differ in byte order: `swaps` lists the units of an element to reverse. Assumes a little-endian host, like all
 * JavaScript engines in use.
 */
import { swapsOf } from '../../../core/dtype/families.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import type { JsonObject } from '../../../core/bytes/json.js';
import type { ByteSwap } from '../../../core/dtype/byte-order.js';
import { type FixedSizeType, isFixedSize } from '../../../core/dtype/data-type.js';
import { CodecError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { badOption, checkOptions, readInteger, readObjects } from '../configuration.js';
import { scratchFor } from '../run-chain.js';
import { exactly } from '../size.js';

export const bytesCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'bytes',
  create(configuration, rep) {
    checkOptions('bytes', configuration, ['endian', 'swaps']);
    const { dtype } = rep;
    if (dtype.name === 'unknown') throw new UnsupportedError(`unknown data type "${dtype.given}"`);
    if (!isFixedSize(dtype))
      throw new MetadataError(
        `codec "bytes" requires values of a fixed size; data type ${dtype.name} requires a codec such as "vlen-utf8"`,
      );
    const { itemSize } = dtype;
    const swaps = parseByteOrder(configuration, dtype);
    const length = sizeOf(rep.shape) * itemSize;
    return {
      encodedSize: exactly(length),

      decode(bytes) {
        if (bytes.length !== length) throw wrongLength(bytes.length, 'stored', length, rep);
        if (swaps.length === 0) return { bytes };
        const dest = scratchFor(bytes, length);
        swapItems(bytes, dest, itemSize, swaps);
        return { bytes: dest };
      },

      encode(values) {
        const bytes = fixedBytes(values);
        if (bytes.length !== length) throw wrongLength(bytes.length, 'given', length, rep);
        if (swaps.length === 0) return bytes;
        const dest = new Uint8Array(length);
        swapItems(bytes, dest, itemSize, swaps);
        return dest;
      },
    };
  },
};

/** The units of each element to reverse; empty if the stored bytes are little-endian. */
function parseByteOrder(configuration: JsonObject, dtype: FixedSizeType): readonly ByteSwap[] {
  const endian = configuration['endian'];
  if (endian === 'little') return [];
  if (endian === 'big') return swapsOf(dtype);
  if (endian === 'mixed') return parseSwaps(configuration, dtype.itemSize);
  if (endian !== undefined && endian !== null)
    throw badOption('bytes', 'endian', endian, '"little" or "big"');
  // zarr-python writes structs without `endian`, always little-endian.
  if (dtype.name !== 'struct' && swapsOf(dtype).length > 0)
    throw new MetadataError(
      `codec "bytes": "endian" is missing; expected "little" or "big" for the multi-byte data type ${dtype.name}`,
    );
  return [];
}

function parseSwaps(configuration: JsonObject, itemSize: number): ByteSwap[] {
  const list = readObjects('bytes', configuration, 'swaps') ?? [];
  return list.map((part) => {
    const bounds = { min: 0, max: itemSize };
    const swap = {
      offset: readInteger('bytes', part, 'offset', bounds),
      unit: readInteger('bytes', part, 'unit', { min: 1, max: itemSize }),
      count: readInteger('bytes', part, 'count', bounds),
    };
    if (swap.offset + swap.unit * swap.count > itemSize)
      throw badOption('bytes', 'swaps', part, `units within the ${itemSize} bytes of an element`);
    return swap;
  });
}

function fixedBytes(values: ChunkValues): Uint8Array {
  if ('bytes' in values) return values.bytes;
  throw new CodecError('codec "bytes": values of variable length are not supported');
}

function wrongLength(actual: number, state: 'stored' | 'given', expected: number, rep: ChunkRep): CodecError {
  return new CodecError(
    `codec "bytes": ${actual} bytes are ${state}; a chunk of shape [${rep.shape.join(', ')}] and data type ${rep.dtype.name} takes ${expected}`,
  );
}

/**
 * Writes `source` to `dest` with every unit reversed. Both have the same length, a multiple of `unit`, and
 * may be the same bytes; `dest` is aligned to 4 bytes.
 */
function swapUnits(source: Uint8Array, dest: Uint8Array, unit: 2 | 4 | 8): void {
  let from = source;
  if (source.byteOffset % 4 !== 0) {
    dest.set(source);
    from = dest;
  }
  const words = dest.length >> 2;
  const x = new Int32Array(from.buffer, from.byteOffset, words);
  const y = new Int32Array(dest.buffer, dest.byteOffset, words);
  if (unit === 2) {
    swap2(x, y);
    // If the number of units is odd, one unit remains after the last word.
    const last = words * 4;
    if (last < dest.length) {
      const [a, b] = [from[last], from[last + 1]];
      dest[last] = b;
      dest[last + 1] = a;
    }
  } else if (unit === 4) swap4(x, y);
  else swap8(x, y);
}

function swap2(x: Int32Array, y: Int32Array): void {
  for (let i = 0; i < y.length; i++) {
    const v = x[i];
    y[i] = ((v & 0x00ff00ff) << 8) | ((v >>> 8) & 0x00ff00ff);
  }
}

function swap4(x: Int32Array, y: Int32Array): void {
  for (let i = 0; i < y.length; i++) {
    const v = x[i];
    const pairs = ((v & 0x00ff00ff) << 8) | ((v >>> 8) & 0x00ff00ff);
    y[i] = (pairs << 16) | (pairs >>> 16);
  }
}

function swap8(x: Int32Array, y: Int32Array): void {
  for (let i = 0; i + 1 < y.length; i += 2) {
    const v = x[i];
    const w = x[i + 1];
    const low = ((v & 0x00ff00ff) << 8) | ((v >>> 8) & 0x00ff00ff);
    const high = ((w & 0x00ff00ff) << 8) | ((w >>> 8) & 0x00ff00ff);
    y[i] = (high << 16) | (high >>> 16);
    y[i + 1] = (low << 16) | (low >>> 16);
  }
}

/** Copies elements of `itemSize` bytes from `source` to `dest`, and reverses the units in `swaps`. */
export function swapItems(
  source: Uint8Array,
  dest: Uint8Array,
  itemSize: number,
  swaps: readonly ByteSwap[],
): void {
  const unit = wholeUnit(itemSize, swaps);
  if (unit !== undefined) return swapUnits(source, dest, unit);
  dest.set(source);
  for (const swap of swaps) {
    const end = swap.offset + swap.unit * swap.count;
    for (let item = 0; item + itemSize <= dest.length; item += itemSize) {
      for (let at = item + swap.offset; at < item + end; at += swap.unit)
        reverse(dest, at, at + swap.unit - 1);
    }
  }
}

/** The size of the units if an element consists of units of one size. */
function wholeUnit(itemSize: number, swaps: readonly ByteSwap[]): 2 | 4 | 8 | undefined {
  const [swap] = swaps;
  if (swap === undefined || swaps.length !== 1 || swap.offset !== 0) return undefined;
  if (swap.unit * swap.count !== itemSize) return undefined;
  return swap.unit === 2 || swap.unit === 4 || swap.unit === 8 ? swap.unit : undefined;
}

function reverse(bytes: Uint8Array, first: number, last: number): void {
  for (let a = first, b = last; a < b; a++, b--) {
    const kept = bytes[a];
    bytes[a] = bytes[b];
    bytes[b] = kept;
  }
}
