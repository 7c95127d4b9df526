import type { DimSelection, LazySlice } from '../../../zarr/index.js';

/** Selects along one axis. */
export function partAlong(slice: LazySlice, axis: number, by: DimSelection): LazySlice {
  const dims = slice.shape.map((_, d) => (d === axis ? by : ({ kind: 'slice' } as const)));
  return slice.select({ kind: 'dims', dims });
}
