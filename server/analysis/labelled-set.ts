/** Slices with their coordinates, as files and stores for other tools need them. */
import type { CoordinateReader } from '../dataset/coordinate-reader.js';
import { withoutNames } from '../dataset/attributes.js';
import { decodedLabels, type SliceCoordinate } from '../dataset/slice-coordinate.js';
import { dimensionsOf, type LabelledSet, type LabelledVariable } from '../transport/labelled-set.js';
import { InputError, type JsonObject, type LazySlice } from '../zarr/index.js';

export interface DescribedSlice {
  readonly name: string;
  readonly slice: LazySlice;
  /** The attributes that apply to the values. */
  readonly attributes: JsonObject;
  readonly coordinates: readonly SliceCoordinate[];
}

/**
 * Reads at most what determines the decoding of coordinates. Of several coordinates of one name, the first is kept;
 * coordinates named like a slice, and blocks of labels without a mean, are left out.
 * @throws InputError if a dimension has two sizes; errors from the coordinates
 */
export async function labelSlices(
  slices: readonly DescribedSlice[],
  attributes: JsonObject,
  reader: Pick<CoordinateReader, 'decoding'>,
): Promise<LabelledSet> {
  const variables: LabelledVariable[] = [];
  const coordinates = new Map<string, LabelledVariable>();
  const names = new Set(slices.map(({ name }) => name));
  for (const { name, slice, attributes: own, coordinates: along } of slices) {
    const dimensions = dimensionNames(slice);
    variables.push({ name, slice, dimensions, attributes: own });
    for (const coordinate of along) {
      if (names.has(coordinate.name) || coordinates.has(coordinate.name)) continue;
      const labels = await coordinate.labels(reader);
      if (labels === undefined) continue;
      coordinates.set(coordinate.name, {
        name: coordinate.name,
        slice: decodedLabels(labels),
        dimensions: coordinate.axes.flatMap((axis) => dimensions[axis] ?? []),
        attributes: coordinate.attributes,
      });
    }
  }
  const set = { variables, coordinates: [...coordinates.values()], attributes };
  if (dimensionsOf(set) === undefined)
    throw new InputError(
      'the variables have dimensions of the same name with different sizes; request them separately',
    );
  return set;
}

/** Names of the dimensions. Those without a name, or with one that is used before, are `dim_N`. */
function dimensionNames({ shape, dims }: LazySlice): readonly string[] {
  const used = new Set<string>();
  return shape.map((_, d) => {
    const own = dims[d]?.name ?? undefined;
    const name = own === undefined || used.has(own) ? `dim_${d}` : own;
    used.add(name);
    return name;
  });
}

const ofValues = (name: string): boolean => /^(flag_|valid_|actual_range$)/.test(name);

/** The attributes of a variable that still apply after operations. */
export function remainingAttributes(
  all: JsonObject,
  { keepsUnits, keepsValues }: { readonly keepsUnits: boolean; readonly keepsValues: boolean },
): JsonObject {
  if (!keepsUnits) return withoutNames(all, (name) => name !== 'long_name');
  return keepsValues ? all : withoutNames(all, ofValues);
}
