/** Finds the largest prefix of a slice within the limits, for error messages. */
import { type LazySlice, type Selection, ZarrError } from '../../zarr/index.js';

export interface FittingSelection {
  /** Index and name of the slice's longest dimension. The other dimensions remain complete. */
  readonly dimension: number;
  readonly name: string | null;
  /** The number of positions that fit, counted from the first. */
  readonly size: number;
}

/** @param fits whether a part is within the limits. @returns undefined if not even one position fits */
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
  let [size, tooMany] = [0, dim.size];
  try {
    while (tooMany - size > 1) {
      const middle = Math.floor((size + tooMany) / 2);
      if (fits(slice.select(prefixOf(dimension, middle)))) size = middle;
      else tooMany = middle;
    }
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
