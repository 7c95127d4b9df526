/** Slices whose positions along a dimension are put together in groups. */
import { InputError, withContext } from './errors.js';
import { guardSlice, type KnownValues } from './guarded-slice.js';
import type { LazySlice } from './lazy-slice.js';
import { mapSlice } from './mapped-slice.js';
import type { GroupsMap } from './read/reduce/groups.js';
import type { ReduceRequest } from './read/reduce/reduction.js';
import { resolveGroups } from './read/reduce/resolve.js';
import { mappingOf } from './reduced-slice.js';

/** Which positions along a dimension belong together. */
export interface Grouping {
  /** Place of the dimension among those of the slice. */
  readonly axis: number;
  readonly map: GroupsMap;
  /** The values that decided it. */
  readonly known: readonly KnownValues[];
}

/**
 * The slice with the members of each group reduced to one; reads nothing. Missing results are those of groups without members,
 * where the type has missing values.
 * @throws InputError and SelectionError for a request that does not fit; UnsupportedError for a type that the reduction does
 *   not take
 */
export function groupSlice(
  slice: LazySlice,
  { axis, map, known }: Grouping,
  request: Omit<ReduceRequest, 'over'>,
): LazySlice {
  try {
    const { resolved, maps } = resolveGroups(request, axis, map, slice.shape, slice.dtype);
    const added = [map.made?.labels.name, ...(resolved.q === undefined ? [] : ['quantile'])];
    const others = slice.dims.flatMap((dim, d) => (d === axis ? [] : [dim.name]));
    const twice = added.find((name) => name !== undefined && others.includes(name));
    if (twice !== undefined) throw new InputError(`the slice has the dimension "${twice}" already`);
    return mapSlice(guardSlice(slice, known), maps, mappingOf(resolved));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}
