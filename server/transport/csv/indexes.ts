/**
 * Index columns of a slice's CSV. Indices refer to the array, not to the slice, so that rows of a part remain
 * identifiable.
 */
import type { LazySlice } from '../../zarr/index.js';
import type { CsvIndex } from './rows.js';

/**
 * One column per dimension of the result, named like the dimension or `dim_0`, with indices into the array.
 * For points, one column per dimension of the array. The dimensions of a sub-array field follow.
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
