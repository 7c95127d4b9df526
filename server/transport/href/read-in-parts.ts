/** Reads the slices of one file as streams of one state, within the limit on a file's values of variable length. */
import {
  type Block,
  createStreamSession,
  itemBytes,
  LimitError,
  type SliceStreamOptions,
} from '../../zarr/index.js';
import type { ReadParts } from '../forms/form.js';

export interface PartReading extends Pick<SliceStreamOptions, 'limits' | 'signal' | 'versions'> {
  /** Of all values of variable length, whose size shows only when they are read. */
  readonly maxBytes: number;
}

/**
 * @returns a reader whose iterations throw ConflictError where the array changed since `versions` was taken (or since an
 *   earlier part of the same object), LimitError past `maxBytes`, and what reads throw
 */
export function readInParts({ maxBytes, ...options }: PartReading): ReadParts {
  const session = createStreamSession();
  let left = maxBytes;
  return async function* read(slice, range) {
    for await (const part of slice.stream({ ...options, range, session })) {
      left = charged(left, part.block, maxBytes);
      yield part;
    }
  };
}

/** @returns what is left. @throws LimitError */
function charged(left: number, block: Block, maxBytes: number): number {
  if (!('items' in block)) return left;
  const rest = left - itemBytes(block.items);
  if (rest >= 0) return rest;
  throw new LimitError(`the values take more than the ${maxBytes} bytes that maxHrefBytes allows`, {
    excess: [{ limit: 'maxHrefBytes', allowed: maxBytes, needed: maxBytes - rest }],
  });
}
