/** Finds the latitudes and longitudes of a dataset by their attributes, never by their names. */
import { InputError, type JsonObject } from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import { coordinatesOfSlice, variableAlong } from './slice-coordinates.js';
import type { SliceCoordinate, SliceDims } from './slice-coordinate.js';
import { type Dataset, isVariable } from './variable.js';

export type GeographicAxis = 'latitude' | 'longitude';

const units: Readonly<Record<GeographicAxis, { readonly form: RegExp; readonly name: string }>> = {
  latitude: { form: /^degrees?_?(north|N)$/, name: 'degrees_north' },
  longitude: { form: /^degrees?_?(east|E)$/, name: 'degrees_east' },
};

/**
 * Finds the latitudes or longitudes of a slice: a coordinate in degrees_north or degrees_east along its
 * dimensions. Indexes take precedence over other coordinates, and these over other variables.
 * @param dataset the dataset of the slice
 * @param purpose purpose of the search, for error messages: "COS_LATITUDE"
 * @throws InputError unless exactly one coordinate applies
 */
export function findGeographic(
  slice: SliceDims,
  dataset: Dataset | undefined,
  axis: GeographicAxis,
  purpose: string,
): SliceCoordinate {
  const { name } = units[axis];
  const coordinates = coordinatesOfSlice(slice, dataset).filter((one) => states(one, axis));
  const ranks = [
    () => coordinates.filter(({ isIndex }) => isIndex),
    () => coordinates,
    () => variablesAlong(slice, dataset).filter((one) => states(one, axis)),
  ];
  for (const rank of ranks) {
    const [first, ...others] = rank();
    if (first === undefined) continue;
    if (others.length === 0) return first;
    throw new InputError(
      `${purpose} requires exactly one coordinate in ${name}; found ${[first, ...others].map(({ name: other }) => `"${other}"`).join(', ')}`,
    );
  }
  throw new InputError(
    dataset === undefined
      ? `${purpose} requires a coordinate in ${name}; the array does not belong to a dataset`
      : `${purpose} requires a coordinate in ${name} along the dimensions of the slice, but none was found`,
  );
}

function variablesAlong(slice: SliceDims, dataset: Dataset | undefined): SliceCoordinate[] {
  return [...(dataset?.variables.values() ?? [])]
    .filter(isVariable)
    .flatMap((variable) => variableAlong(slice, variable) ?? []);
}

function states({ variable, meaning }: SliceCoordinate, axis: GeographicAxis): boolean {
  return variable?.context.boundsOf === undefined && isGeographic(meaning, axis);
}

/** Whether attributes state latitudes or longitudes (CF, sections 4.1 and 4.2). */
export function isGeographic(meaning: JsonObject, axis: GeographicAxis): boolean {
  const unit = textAttribute(meaning, 'units') ?? '';
  if (units[axis].form.test(unit)) return true;
  return textAttribute(meaning, 'standard_name') === axis && /^degrees?$/.test(unit);
}
