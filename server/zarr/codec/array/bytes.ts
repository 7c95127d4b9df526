/**
 * `bytes`: fixed-size values in C order with a byte order (v3 core specification, "bytes" codec).
 *
 * In addition to the specified `endian` "little" and "big", the engine has its own "mixed", for v2 structs
 * whose fields differ in byte order: `swaps` lists the units of an item to reverse.
 */
import { swapsOf } from '../../dtype/families.js';
import { sizeOf } from '../../bytes/shape.js';
import type { JsonObject } from '../../bytes/json.js';
import { type ByteSwap } from '../../dtype/byte-order.js';
import { type FixedSizeType, isFixedSize } from '../../dtype/data-type.js';
import { CodecError, MetadataError, UnsupportedError } from '../../errors.js';
import { swapItems } from './byte-swap.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { badOption, checkOptions, readInteger, readObjects } from '../configuration.js';
import { scratchFor } from '../scratch.js';
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

/** The byte ranges of each item to reverse; empty if the stored bytes are little-endian. */
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
      `codec "bytes": "endian" is missing; it must be "little" or "big" for the multi-byte data type ${dtype.name}`,
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
      throw badOption('bytes', 'swaps', part, `within the ${itemSize} bytes of an item`);
    return swap;
  });
}

function fixedBytes(values: ChunkValues): Uint8Array {
  if ('bytes' in values) return values.bytes;
  throw new CodecError('codec "bytes": values of variable length are not supported');
}

function wrongLength(got: number, what: 'stored' | 'given', expected: number, rep: ChunkRep): CodecError {
  return new CodecError(
    `codec "bytes": ${got} bytes are ${what}; a chunk of shape [${rep.shape.join(', ')}] and data type ${rep.dtype.name} takes ${expected}`,
  );
}
