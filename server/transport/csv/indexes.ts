/** The index columns of a slice's CSV: positions in its origin, not in the slice, so that a part keeps its place. */
import type { LazySlice } from '../../zarr/index.js';
import type { CsvIndex } from './rows.js';

/**
 * One column a dimension of the result, named like the dimension or `dim_0`, by its place in the origin. Of points:
 * one column a dimension of the origin. A sub-array field's own dimensions follow.
 */
export function csvIndexes({ origin, dims }: Pick<LazySlice, 'origin' | 'dims'>): CsvIndex[] {
  const { dimensionNames, selection } = origin;
  const rank = origin.shape.length;
  const indexes: CsvIndex[] = [];
  let dim = 0;
  if (selection.kind === 'points') {
    if (!selection.dropped) {
      for (const [d, list] of selection.at.entries())
        indexes.push({ name: dimensionNames[d] ?? `dim_${d}`, dim, at: (i) => list[i] ?? 0 });
      dim += 1;
    }
  } else {
    for (const [d, by] of selection.dims.entries()) {
      if (by.dropped) continue;
      const at = by.kind === 'range' ? (i: number) => by.start + i * by.step : (i: number) => by.at[i] ?? 0;
      indexes.push({ name: dims[dim]?.name ?? `dim_${d}`, dim, at });
      dim += 1;
    }
  }
  for (const [n, { start, step }] of dims.slice(dim).entries())
    indexes.push({ name: `dim_${rank + n}`, dim: dim + n, at: (i) => (start ?? 0) + i * (step ?? 1) });
  return indexes;
}
