/** The charge of a slice or a computation, and the error if it is too large. Pure functions. */
import { listCount } from '../transport/json/list-text.js';
import {
  firstIndexWhere,
  type Block,
  chargedItemBytes,
  type Excess,
  itemBytes,
  type LazySlice,
  LimitError,
  type Limits,
  type ErrorContext,
  sizeOf,
  type Selection,
  ZarrError,
} from '../zarr/index.js';

export interface Charge {
  readonly maxChunks: number;
  readonly maxDecodedBytes: number;
  readonly maxReducedBytes: number;
  readonly maxWork: number;
  readonly maxOutputBytes: number;
}

export const nothing: Charge = {
  maxChunks: 0,
  maxDecodedBytes: 0,
  maxReducedBytes: 0,
  maxWork: 0,
  maxOutputBytes: 0,
};

export function chargeOf(slice: LazySlice): Charge {
  const cost = slice.cost();
  return {
    maxChunks: cost.chunks,
    maxDecodedBytes: cost.decodedBytes,
    maxReducedBytes: cost.reducedBytes,
    maxWork: cost.work,
    maxOutputBytes: chargedOutput(slice, cost.outputBytes ?? 0),
  };
}

/** The bytes charged for the values of a slice, at least one for each list. @param bytes planned size of the values */
export function chargedOutput({ shape, dtype }: LazySlice, bytes: number): number {
  // Brackets are part of the output: the shape (10^9, 0) has no elements, but a billion lists.
  return Math.max(bytes, sizeOf(shape) * chargedItemBytes(dtype), listCount(shape));
}

function hintOf({ dimension, name, size }: FittingSelection): string {
  const positions = size === 1 ? 'one element' : `${size} positions`;
  return `: at most ${positions} of dimension ${dimension}${name === null ? '' : ` ("${name}")`} would fit`;
}

export function add(a: Charge, b: Charge): Charge {
  return {
    maxChunks: a.maxChunks + b.maxChunks,
    maxDecodedBytes: a.maxDecodedBytes + b.maxDecodedBytes,
    maxReducedBytes: a.maxReducedBytes + b.maxReducedBytes,
    maxWork: a.maxWork + b.maxWork,
    maxOutputBytes: a.maxOutputBytes + b.maxOutputBytes,
  };
}

export function excessOf(needed: Charge, limits: Limits): Excess[] {
  const excess: Excess[] = [];
  for (const limit of [
    'maxOutputBytes',
    'maxDecodedBytes',
    'maxReducedBytes',
    'maxWork',
    'maxChunks',
  ] as const)
    if (needed[limit] > limits[limit]) excess.push({ limit, allowed: limits[limit], needed: needed[limit] });
  return excess;
}

export function limitError(
  where: ErrorContext,
  excess: readonly Excess[],
  problem: string,
  advice: string,
  fits?: FittingSelection,
): LimitError {
  const bounds = excess.map(
    ({ limit, allowed, needed }) => `${limit} allows ${allowed}, but ${needed} are needed`,
  );
  const hint = fits === undefined ? '' : hintOf(fits);
  return new LimitError(
    `${problem}: ${bounds.join('; ')}; ${advice}${hint}; query "estimate" for the cost of a slice`,
    {
      excess,
      where,
      ...(fits === undefined ? {} : { fits: { ...fits } }),
    },
  );
}

export function blockBytes(block: Block): number {
  return 'bytes' in block ? block.bytes.length : itemBytes(block.items);
}

// Finds the largest prefix of a slice within the limits, for error messages.

export interface FittingSelection {
  /** Index and name of the slice's longest dimension. The other dimensions remain complete. */
  readonly dimension: number;
  readonly name: string | null;
  /** The number of positions that fit, counted from the first. */
  readonly size: number;
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
