/** numcodecs' `vlen-array`: each item is a one-dimensional array of a numeric data type. */
import { type Items, MISSING } from '../../bytes/items.js';
import { sizeOf } from '../../bytes/shape.js';
import type { FixedSizeType } from '../../dtype/data-type.js';
import { isFixedSize } from '../../dtype/data-type.js';
import type { ByteSwap } from '../../dtype/byte-order.js';
import { CodecError, InputError, MetadataError } from '../../errors.js';
import { swapItems } from '../array/byte-swap.js';
import type { ArrayToBytesCodec } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { readNumpyType } from '../numpy-type.js';
import { atMost } from '../size.js';
import { checkType, itemsOf } from './vlen.js';
import { readFrames, writeFrames } from './vlen-frames.js';

export const vlenArrayCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'vlen-array',
  create(configuration, rep) {
    checkOptions('vlen-array', configuration, ['dtype']);
    checkType('vlen-array', rep, 'ragged');
    // `swaps`: the big-endian units of the stored items.
    const { dtype: item, swaps } = readNumpyType('vlen-array', configuration, 'dtype');
    if (!isFixedSize(item) || item.itemSize === 0)
      throw new MetadataError(
        `codec "vlen-array": unsupported item type ${item.name}, which has no fixed size`,
      );
    return {
      encodedSize: atMost(Infinity),

      decode(bytes, limit) {
        const items = readFrames('vlen-array', bytes, sizeOf(rep.shape), limit);
        const odd = items.lengths.findIndex((length) => length % item.itemSize !== 0);
        if (odd >= 0)
          throw new CodecError(
            `codec "vlen-array": item ${odd} has ${items.lengths[odd]} bytes; the length must be a multiple of ${item.itemSize}`,
          );
        swapAll(items, item, swaps);
        return { items };
      },

      encode(values) {
        const items = itemsOf('vlen-array', values, rep);
        const odd = items.lengths.findIndex((length) => length !== MISSING && length % item.itemSize !== 0);
        if (odd >= 0)
          throw new InputError(`codec "vlen-array": item ${odd} is not a list of data type ${item.name}`);
        const frames = writeFrames('vlen-array', items);
        // Items may share bytes, but frames do not.
        if (swaps.length > 0) swapFrames(frames, items, item, swaps);
        return frames;
      },
    };
  },
};

/** Swaps in place, so no two items may share bytes. */
function swapAll({ starts, lengths, bytes }: Items, item: FixedSizeType, swaps: readonly ByteSwap[]): void {
  if (swaps.length === 0) return;
  for (let i = 0; i < starts.length; i++) swapRun(bytes, starts[i] ?? 0, lengths[i] ?? 0, item, swaps);
}

/** The bytes of each item, after its length. */
function swapFrames(
  frames: Uint8Array,
  { lengths }: Items,
  item: FixedSizeType,
  swaps: readonly ByteSwap[],
): void {
  const WORD = 4;
  let at = WORD;
  for (const stored of lengths) {
    const length = stored === MISSING ? 0 : stored;
    swapRun(frames, at + WORD, length, item, swaps);
    at += WORD + length;
  }
}

/** Via a copy, because units of several bytes must be aligned to their size. */
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
