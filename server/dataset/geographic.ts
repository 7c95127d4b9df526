/** Finds the coordinates of a dataset that are latitudes and longitudes. By what attributes state, never by names. */
import { InputError, type SliceOrigin } from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import { type Dataset, isVariable } from './dataset.js';
import { selectionAlong, withCoarsenedNames } from './slice-coordinates.js';
import type { Variable } from './variable.js';

export type GeographicAxis = 'latitude' | 'longitude';

const units: Readonly<Record<GeographicAxis, { readonly form: RegExp; readonly name: string }>> = {
  latitude: { form: /^degrees?_?(north|N)$/, name: 'degrees_north' },
  longitude: { form: /^degrees?_?(east|E)$/, name: 'degrees_east' },
};

/**
 * The latitudes or longitudes of the elements of a slice: a coordinate in degrees_north (degrees_east) along its dimensions, the
 * one named like its dimension before others.
 * @param dataset of the slice
 * @param purpose for messages: "COS_LATITUDE"
 * @throws InputError if there is none, or no way to choose one
 */
export function findGeographic(
  dataset: Dataset | undefined,
  origin: SliceOrigin,
  axis: GeographicAxis,
  purpose: string,
): Variable {
  const { name } = units[axis];
  if (dataset === undefined)
    throw new InputError(`${purpose} needs a coordinate in ${name}; this array belongs to no dataset`);
  const along = withCoarsenedNames(origin);
  const found = [...dataset.variables.values()]
    .filter(isVariable)
    .filter((variable) => states(variable, axis) && selectionAlong(along, variable) !== undefined);
  const ranks = [
    found.filter(({ isIndex }) => isIndex),
    found.filter(({ kind }) => kind === 'COORDINATE'),
    found,
  ];
  const [first, ...others] = ranks.find(({ length }) => length > 0) ?? [];
  if (first === undefined)
    throw new InputError(
      `${purpose} needs a coordinate whose units are ${name}, along the dimensions of this slice; there is none`,
    );
  if (others.length > 0)
    throw new InputError(
      `${purpose} needs one coordinate in ${name}; there are ${found.map((one) => `"${one.name}"`).join(', ')}`,
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
