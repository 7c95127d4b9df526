/**
 * Reads the slices of one file from a single state of the array, within the limit on variable-length
 * values.
 */
import {
  type Block,
  createStreamSession,
  itemBytes,
  LimitError,
  type SliceStreamOptions,
} from '../../zarr/index.js';
import type { ReadParts } from '../forms/form.js';

export interface PartReading extends Pick<
  SliceStreamOptions,
  'limits' | 'signal' | 'versions' | 'onVersion' | 'keepChunks'
> {
  /** Maximum total size, in bytes, of variable-length values. Their size is unknown before they are read. */
  readonly maxBytes: number;
}

/**
 * @returns a reader whose iterations throw ConflictError if the array changed since `versions` was taken (or
 * since an earlier part of the same object), LimitError if the values exceed `maxBytes`, and errors from
 * reading
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

/** @returns the remaining budget. @throws LimitError if the budget is exceeded */
function charged(left: number, block: Block, maxBytes: number): number {
  if (!('items' in block)) return left;
  const rest = left - itemBytes(block.items);
  if (rest >= 0) return rest;
  throw new LimitError(
    `the values exceed the ${maxBytes} bytes that maxHrefBytes allows; select fewer elements`,
    {
      excess: [{ limit: 'maxHrefBytes', allowed: maxBytes, needed: maxBytes - rest }],
    },
  );
}
