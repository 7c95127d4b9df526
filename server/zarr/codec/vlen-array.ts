/** numcodecs' `vlen-array`: each item an array of one dimension and one numeric type. */
import { sizeOf } from '../bytes/shape.js';
import type { Block, FixedSizeType } from '../dtype/data-type.js';
import { isFixedSize } from '../dtype/data-type.js';
import type { ByteSwap } from '../dtype/byte-order.js';
import { CodecError, InputError, MetadataError } from '../errors.js';
import { swapItems } from './byte-swap.js';
import type { ArrayToBytesCodec } from './codec.js';
import { checkOptions } from './configuration.js';
import { readNumpyType } from './numpy-type.js';
import { atMost } from './size.js';
import { checkType, itemsOf } from './vlen.js';
import { readFrames, writeFrames } from './vlen-frames.js';

export interface VlenArrayConfiguration {
  readonly item: FixedSizeType;
  /** What is big-endian in the stored items. */
  readonly swaps: readonly ByteSwap[];
}

export const vlenArrayCodec: ArrayToBytesCodec<VlenArrayConfiguration> = {
  kind: 'array-to-bytes',
  name: 'vlen-array',
  parse(configuration, rep) {
    checkOptions('vlen-array', configuration, ['dtype']);
    checkType('vlen-array', rep, 'ragged');
    const { dtype, swaps } = readNumpyType('vlen-array', configuration, 'dtype');
    if (!isFixedSize(dtype) || dtype.itemSize === 0)
      throw new MetadataError(`codec "vlen-array": items of the type ${dtype.name} have no fixed size`);
    return { item: dtype, swaps };
  },
  encodedSize: () => atMost(Infinity),

  decode({ item, swaps }, bytes, rep, limit) {
    const items: Block[] = [];
    readFrames('vlen-array', bytes, sizeOf(rep.shape), limit, (start, end) => {
      const length = (end - start) / item.itemSize;
      if (!Number.isInteger(length))
        throw new CodecError(
          `codec "vlen-array": item ${items.length} has ${end - start} bytes, which is no multiple of ${item.itemSize}`,
        );
      // A copy of its own each, so that the bytes are aligned for typed arrays.
      const own = bytes.slice(start, end);
      if (swaps.length > 0) swapItems(own, own, item.itemSize, swaps);
      items.push({ dtype: item, shape: [length], bytes: own });
    });
    return { items };
  },

  encode({ item, swaps }, values, rep) {
    const parts = itemsOf('vlen-array', values, rep).map((value, i) => {
      if (value === null || value === undefined) return new Uint8Array(0);
      const bytes = bytesOfBlock(value, item);
      if (bytes === undefined)
        throw new InputError(
          `codec "vlen-array": item ${i} is no block of one dimension and type ${item.name}`,
        );
      if (swaps.length === 0) return bytes;
      const swapped = new Uint8Array(bytes.length);
      swapItems(bytes, swapped, item.itemSize, swaps);
      return swapped;
    });
    return writeFrames('vlen-array', parts);
  },
};

function bytesOfBlock(value: unknown, item: FixedSizeType): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('bytes' in value) || !(value.bytes instanceof Uint8Array)) return undefined;
  if (!('dtype' in value) || typeof value.dtype !== 'object' || value.dtype === null) return undefined;
  if (!('name' in value.dtype) || value.dtype.name !== item.name) return undefined;
  return value.bytes.length % item.itemSize === 0 ? value.bytes : undefined;
}
