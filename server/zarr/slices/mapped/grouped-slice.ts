/** Slices whose positions along a dimension are combined into groups. */
import { InputError, withContext } from '../../errors.js';
import { guardSlice, type KnownValues } from '../guarded-slice.js';
import type { LazySlice } from '../lazy-slice.js';
import { mapSlice } from './mapped-slice.js';
import type { GroupsMap } from '../../read/reduce/groups.js';
import type { DimLabels } from '../../read/reduce/made-dim.js';
import type { ReduceRequest } from '../../read/reduce/reduction.js';
import { resolveGroups } from '../../read/reduce/resolve.js';
import { mappingOf } from './reduced-slice.js';

/** The groups of positions along a dimension. */
export interface Grouping {
  /** Index of the dimension in the slice. */
  readonly axis: number;
  readonly map: GroupsMap;
  /** The values from which the groups were computed. */
  readonly known: readonly KnownValues[];
}

/**
 * Reduces the members of each group to one element. Reads nothing. Results of empty groups are missing if
 * the data type has a missing value.
 * @param quantiles labels of the dimension that QUANTILE adds; if undefined, the dimension has no coordinate
 * @throws InputError and SelectionError for an invalid request; UnsupportedError if the reduction does not
 * support the data type
 */
export function groupSlice(
  slice: LazySlice,
  { axis, map, known }: Grouping,
  request: Omit<ReduceRequest, 'over'>,
  quantiles?: DimLabels,
): LazySlice {
  try {
    const { resolved, maps } = resolveGroups(request, axis, map, slice.shape, slice.dtype);
    const added = [map.made?.labels.name, ...(resolved.q === undefined ? [] : ['quantile'])];
    const others = slice.dims.flatMap((dim, d) => (d === axis ? [] : [dim.name]));
    const twice = added.find((name) => name !== undefined && others.includes(name));
    if (twice !== undefined) throw new InputError(`the slice already has a dimension "${twice}"`);
    return mapSlice(guardSlice(slice, known), maps, mappingOf(resolved, quantiles));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}
