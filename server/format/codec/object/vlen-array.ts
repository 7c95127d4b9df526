/** numcodecs' `vlen-array`: each element is a one-dimensional array of a data type of fixed size. */
import { defined } from '../../../../wire/guards.js';
import { type Items, MISSING } from '../../../core/bytes/items.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import type { ByteSwap } from '../../../core/dtype/byte-order.js';
import { type FixedSizeType, isFixedSize } from '../../../core/dtype/data-type.js';
import { CodecError, InputError, MetadataError } from '../../../core/errors.js';
import { swapItems } from '../array/bytes.js';
import type { ArrayToBytesCodec } from '../codec.js';
import { checkOptions, readNumpyType } from '../configuration.js';
import { atMost } from '../size.js';
import { checkType, itemsToEncode, readFrames, LENGTH_BYTES, writeFrames } from './vlen.js';

export const vlenArrayCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'vlen-array',
  create(configuration, rep) {
    checkOptions('vlen-array', configuration, ['dtype']);
    checkType('vlen-array', rep, 'ragged');
    // `swaps`: the big-endian units of the stored values.
    const { dtype: item, swaps } = readNumpyType('vlen-array', configuration, 'dtype');
    if (!isFixedSize(item) || item.itemSize === 0)
      throw new MetadataError(
        `codec "vlen-array": unsupported data type ${item.name} of list elements; expected a data type of fixed size`,
      );
    return {
      encodedSize: atMost(Infinity),

      decode(bytes, limit) {
        const items = readFrames('vlen-array', bytes, sizeOf(rep.shape), limit);
        const odd = items.lengths.findIndex((length) => length % item.itemSize !== 0);
        if (odd >= 0)
          throw new CodecError(
            `codec "vlen-array": element ${odd} has ${items.lengths[odd]} bytes; the length must be a multiple of ${item.itemSize}`,
          );
        swapAll(items, item, swaps);
        return { items };
      },

      encode(values) {
        const items = itemsToEncode('vlen-array', values, rep);
        const odd = items.lengths.findIndex((length) => length !== MISSING && length % item.itemSize !== 0);
        if (odd >= 0)
          throw new InputError(`codec "vlen-array": element ${odd} is not a list of data type ${item.name}`);
        const frames = writeFrames('vlen-array', items);
        // Elements may share bytes, but frames do not.
        if (swaps.length > 0) swapFrames(frames, items, item, swaps);
        return frames;
      },
    };
  },
};

/** Swaps in place, so no two elements may share bytes. */
function swapAll({ starts, lengths, bytes }: Items, item: FixedSizeType, swaps: readonly ByteSwap[]): void {
  if (swaps.length === 0) return;
  for (let i = 0; i < starts.length; i++)
    swapRun(bytes, defined(starts[i]), defined(lengths[i]), item, swaps);
}

/** Swaps the elements in place. Each element follows its length. */
function swapFrames(
  frames: Uint8Array,
  { lengths }: Items,
  item: FixedSizeType,
  swaps: readonly ByteSwap[],
): void {
  let at = LENGTH_BYTES;
  for (const stored of lengths) {
    const length = stored === MISSING ? 0 : stored;
    swapRun(frames, at + LENGTH_BYTES, length, item, swaps);
    at += LENGTH_BYTES + length;
  }
}

/** Swaps a run via a copy, because units of several bytes must be aligned to their size. */
function swapRun(
  bytes: Uint8Array,
  start: number,
  length: number,
  item: FixedSizeType,
  swaps: readonly ByteSwap[],
): void {
  if (length === 0) return;
  const own = bytes.slice(start, start + length);
  swapItems(own, own, item.itemSize, swaps);
  bytes.set(own, start);
}
