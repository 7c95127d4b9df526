/** What of a slice that is too large would be within bounds: a beginning of it, for messages. */
import { type LazySlice, type Selection, ZarrError } from '../../zarr/index.js';

export interface FittingPart {
  /** Number and name of the slice's longest dimension; the others are kept whole. */
  readonly dimension: number;
  readonly name: string | null;
  /** Places of it that fit, from the first. */
  readonly size: number;
}

/** @param fits whether a part is within bounds; undefined where not even one place is. */
export function partThatFits(slice: LazySlice, fits: (part: LazySlice) => boolean): FittingPart | undefined {
  const dimension = slice.dims.reduce(
    (longest, dim, d) => (dim.size > (slice.dims[longest]?.size ?? 0) ? d : longest),
    0,
  );
  const dim = slice.dims[dimension];
  if (dim === undefined) return undefined;
  let [size, tooMany] = [0, dim.size];
  try {
    while (tooMany - size > 1) {
      const middle = Math.floor((size + tooMany) / 2);
      if (fits(slice.select(beginningOf(dimension, middle)))) size = middle;
      else tooMany = middle;
    }
  } catch (error) {
    // A hint is not worth another error.
    if (error instanceof ZarrError) return undefined;
    throw error;
  }
  return size === 0 ? undefined : { dimension, name: dim.name, size };
}

function beginningOf(dimension: number, stop: number): Selection {
  const whole = Array.from({ length: dimension }, () => ({ kind: 'slice' as const }));
  return { kind: 'dims', dims: [...whole, { kind: 'slice', start: 0, stop }, { kind: 'ellipsis' }] };
}
