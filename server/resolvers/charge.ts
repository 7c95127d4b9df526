/** The cost of a slice or a computation in the budget of a request, and the part of a slice that fits. Pure functions. */
import { listCount } from '../transport/json/list-text.js';
import {
  firstIndexWhere,
  type Block,
  chargedItemBytes,
  type Cost,
  itemBytes,
  type LazySlice,
  type PlanCost,
  sizeOf,
  type Selection,
  ZarrError,
} from '../zarr/index.js';

/** The cost of a slice in the budget of a request. */
export function chargeOf(slice: LazySlice): Cost {
  const { chunks, decodedBytes, reducedBytes, work, outputBytes = 0 } = slice.cost();
  return { chunks, decodedBytes, reducedBytes, work, outputBytes: chargedOutput(slice, outputBytes) };
}

/** The cost of a computation whose result is not a slice. */
export function chargeOfWork(plan: PlanCost): Cost {
  const { chunks, decodedBytes, reducedBytes, work, outputBytes = 0, allocatedBytes } = plan;
  return { chunks, decodedBytes, reducedBytes, work, outputBytes: Math.max(outputBytes, allocatedBytes) };
}

/** The bytes charged for the values of a slice, at least one for each list. @param bytes planned size of the values */
export function chargedOutput({ shape, dtype }: LazySlice, bytes: number): number {
  // Brackets are part of the output: the shape (10^9, 0) has no elements, but a billion lists.
  return Math.max(bytes, sizeOf(shape) * chargedItemBytes(dtype), listCount(shape));
}

export function blockBytes(block: Block): number {
  return 'bytes' in block ? block.bytes.length : itemBytes(block.items);
}

export interface FittingSelection {
  /** Index and name of the slice's longest dimension. The other dimensions remain complete. */
  readonly dimension: number;
  readonly name: string | null;
  /** The number of positions that fit, counted from the first. */
  readonly size: number;
}

/** The end of an error message. */
export function hintOf({ dimension, name, size }: FittingSelection): string {
  const positions = size === 1 ? 'one element' : `${size} positions`;
  return `: at most ${positions} of dimension ${dimension}${name === null ? '' : ` ("${name}")`} would fit`;
}

/**
 * @param fits whether a part is within the limits
 * @returns undefined if not even one position fits, if the slice has no dimensions, or if a part is invalid
 */
export function suggestFit(
  slice: LazySlice,
  fits: (part: LazySlice) => boolean,
): FittingSelection | undefined {
  const dimension = slice.dims.reduce(
    (longest, dim, d) => (dim.size > (slice.dims[longest]?.size ?? 0) ? d : longest),
    0,
  );
  const dim = slice.dims[dimension];
  if (dim === undefined) return undefined;
  let size: number;
  try {
    size = firstIndexWhere(1, dim.size, (length) => !fits(slice.select(prefixOf(dimension, length)))) - 1;
  } catch (error) {
    // An error while computing the hint must not hide the original error.
    if (error instanceof ZarrError) return undefined;
    throw error;
  }
  return size === 0 ? undefined : { dimension, name: dim.name, size };
}

function prefixOf(dimension: number, stop: number): Selection {
  const whole = Array.from({ length: dimension }, () => ({ kind: 'slice' as const }));
  return { kind: 'dims', dims: [...whole, { kind: 'slice', start: 0, stop }, { kind: 'ellipsis' }] };
}
