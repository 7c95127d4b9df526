/** The charge of a slice or a computation, and the error if it is too large. Pure functions. */
import { listCount } from '../transport/json/list-text.js';
import {
  type Block,
  chargedItemBytes,
  type Excess,
  itemBytes,
  type LazySlice,
  LimitError,
  type Limits,
  type ErrorContext,
  type PlanCost,
  sizeOf,
} from '../zarr/index.js';
import type { FittingSelection } from './slices/suggest-fit.js';

export interface Charge {
  readonly maxChunks: number;
  readonly maxDecodedBytes: number;
  readonly maxReducedBytes: number;
  readonly maxOutputBytes: number;
}

export const nothing: Charge = { maxChunks: 0, maxDecodedBytes: 0, maxReducedBytes: 0, maxOutputBytes: 0 };

export function chargeOfCost({
  chunks,
  decodedBytes,
  reducedBytes,
}: PlanCost): Omit<Charge, 'maxOutputBytes'> {
  return { maxChunks: chunks, maxDecodedBytes: decodedBytes, maxReducedBytes: reducedBytes };
}

export function chargeOf(slice: LazySlice): Charge {
  const cost = slice.cost();
  return {
    ...chargeOfCost(cost),
    maxOutputBytes: Math.max(
      cost.outputBytes ?? 0,
      sizeOf(slice.shape) * chargedItemBytes(slice.dtype),
      // Brackets are part of the output: the shape (10^9, 0) has no elements, but a billion lists.
      listCount(slice.shape),
    ),
  };
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
    maxOutputBytes: a.maxOutputBytes + b.maxOutputBytes,
  };
}

export function excessOf(needed: Charge, limits: Limits): Excess[] {
  const names = ['maxOutputBytes', 'maxDecodedBytes', 'maxReducedBytes', 'maxChunks'] as const;
  return names
    .filter((name) => needed[name] > limits[name])
    .map((name) => ({ limit: name, allowed: limits[name], needed: needed[name] }));
}

export function limitError(
  where: ErrorContext,
  excess: readonly Excess[],
  what: string,
  advice: string,
  fits?: FittingSelection,
): LimitError {
  const bounds = excess.map(
    ({ limit, allowed, needed }) => `${limit} allows ${allowed}, but ${needed} are needed`,
  );
  const hint = fits === undefined ? '' : hintOf(fits);
  return new LimitError(
    `${what}: ${bounds.join('; ')}. ${advice}${hint}; query "estimate" for the cost of a slice`,
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
