/** Slices with their names, dimensions and coordinates, in the form that other tools read: the input of files and stores. */
import type { JsonObject, LazySlice } from '../zarr/index.js';

export interface LabelledVariable {
  readonly name: string;
  readonly slice: LazySlice;
  /** Names of the dimensions of the slice, all different. */
  readonly dimensions: readonly string[];
  readonly attributes: JsonObject;
}

export interface LabelledSet {
  readonly variables: readonly LabelledVariable[];
  /** Coordinates, each along some dimensions of the variables. An index has the name of its only dimension. */
  readonly coordinates: readonly LabelledVariable[];
  readonly attributes: JsonObject;
}

/** Sizes of all dimensions, in order of their first use. @returns undefined if a name has two sizes */
export function dimensionsOf({
  variables,
  coordinates,
}: Pick<LabelledSet, 'variables' | 'coordinates'>): ReadonlyMap<string, number> | undefined {
  const sizes = new Map<string, number>();
  for (const { slice, dimensions } of [...variables, ...coordinates])
    for (const [d, name] of dimensions.entries()) {
      const size = slice.shape[d];
      if (size === undefined || (sizes.get(name) ?? size) !== size) return undefined;
      sizes.set(name, size);
    }
  return sizes;
}

/** The names of coordinates that are no indexes, as in the attribute `coordinates` (CF, section 5). */
export function otherCoordinates({ coordinates }: Pick<LabelledSet, 'coordinates'>): readonly string[] {
  return coordinates.flatMap(({ name, dimensions }) =>
    dimensions.length === 1 && dimensions[0] === name ? [] : [name],
  );
}
