/**
 * Costs, known before any I/O, and their comparison with limits. A cost is compared with all limits, so that the error
 * names every exceeded one.
 */
import { type ErrorContext, type Excess, LimitError } from './errors.js';
import type { Limits } from './limits.js';

/** The amounts that limits bound. */
export interface Cost {
  /** Bytes of results. */
  readonly outputBytes: number;
  /** Decoded bytes of chunks. */
  readonly decodedBytes: number;
  /** Decoded bytes of chunks that are only reduced. */
  readonly reducedBytes: number;
  /** Operations on elements. */
  readonly work: number;
  /** Number of chunks. */
  readonly chunks: number;
}

/** The limit of each amount, in the order of error messages. */
const limited = [
  ['outputBytes', 'maxOutputBytes'],
  ['decodedBytes', 'maxDecodedBytes'],
  ['reducedBytes', 'maxReducedBytes'],
  ['work', 'maxWork'],
  ['chunks', 'maxChunks'],
] as const satisfies (readonly [keyof Cost, keyof Limits])[];

export const noCost: Cost = { outputBytes: 0, decodedBytes: 0, reducedBytes: 0, work: 0, chunks: 0 };

export function addCosts(a: Cost, b: Cost): Cost {
  return {
    outputBytes: a.outputBytes + b.outputBytes,
    decodedBytes: a.decodedBytes + b.decodedBytes,
    reducedBytes: a.reducedBytes + b.reducedBytes,
    work: a.work + b.work,
    chunks: a.chunks + b.chunks,
  };
}

/** The limits that remain after a cost. */
export function limitsAfter(cost: Cost, limits: Limits): Limits {
  return {
    maxOutputBytes: limits.maxOutputBytes - cost.outputBytes,
    maxDecodedBytes: limits.maxDecodedBytes - cost.decodedBytes,
    maxReducedBytes: limits.maxReducedBytes - cost.reducedBytes,
    maxWork: limits.maxWork - cost.work,
    maxChunks: limits.maxChunks - cost.chunks,
  };
}

/** The exceeded limits; empty if the cost is within all of them. */
export function excessOf(cost: Cost, limits: Limits): Excess[] {
  const excess: Excess[] = [];
  for (const [amount, limit] of limited) {
    const [allowed, needed] = [limits[limit], cost[amount]];
    // An amount that is not a number exceeds every limit.
    if (!(needed <= allowed)) excess.push({ limit, allowed, needed });
  }
  return excess;
}

/** The bounds that are exceeded; a needed amount that is not a number exceeds every bound. */
export function exceededOf(bounds: readonly Excess[]): Excess[] {
  return bounds.filter(({ allowed, needed }) => !(needed <= allowed));
}

export interface ExceededText {
  readonly problem: string;
  readonly advice: string;
  readonly where?: ErrorContext;
  /** A selection within the limits; see `LimitError.fits`. */
  readonly fits?: Readonly<Record<string, string | number | null>> | undefined;
}

/** The error for a cost that exceeds limits. */
export function costError(
  excess: readonly Excess[],
  { problem, advice, where, fits }: ExceededText,
): LimitError {
  const bounds = excess.map(
    ({ limit, allowed, needed }) => `${limit} allows ${allowed}, but ${needed} are needed`,
  );
  return new LimitError(`${problem}: ${bounds.join('; ')}; ${advice}`, {
    excess,
    ...(where === undefined ? {} : { where }),
    ...(fits === undefined ? {} : { fits }),
  });
}
