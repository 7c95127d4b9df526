/** Finds the latitudes and longitudes of a dataset by their attributes, never by their names. */
import { InputError, type SliceOrigin } from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import { selectionAlong, withCoarsenedNames } from './slice-coordinates.js';
import { type Variable, type Dataset, isVariable } from './variable.js';

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
  dataset: Dataset | undefined,
  origin: SliceOrigin,
  axis: GeographicAxis,
  purpose: string,
): Variable {
  const { name } = units[axis];
  if (dataset === undefined)
    throw new InputError(
      `${purpose} requires a coordinate in ${name}; the array does not belong to a dataset`,
    );
  const along = withCoarsenedNames(origin);
  const candidates = [...dataset.variables.values()]
    .filter(isVariable)
    .filter((variable) => states(variable, axis) && selectionAlong(along, variable) !== undefined);
  const ranks = [
    candidates.filter(({ isIndex }) => isIndex),
    candidates.filter(({ kind }) => kind === 'COORDINATE'),
    candidates,
  ];
  const [first, ...others] = ranks.find(({ length }) => length > 0) ?? [];
  if (first === undefined)
    throw new InputError(
      `${purpose} requires a coordinate in ${name} along the dimensions of the slice, but none was found`,
    );
  if (others.length > 0)
    throw new InputError(
      `${purpose} requires exactly one coordinate in ${name}; found ${candidates.map(({ name: other }) => `"${other}"`).join(', ')}`,
    );
  return first;
}

function states({ context }: Variable, axis: GeographicAxis): boolean {
  if (context.boundsOf !== undefined) return false;
  const { attributes } = context;
  const unit = textAttribute(attributes, 'units') ?? '';
  if (units[axis].form.test(unit)) return true;
  return textAttribute(attributes, 'standard_name') === axis && /^degrees?$/.test(unit);
}
