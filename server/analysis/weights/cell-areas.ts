/**
 * Areas of cells: from the variable named by the attribute `cell_measures`, or from the bounds of latitudes and
 * longitudes on a sphere.
 */
import { namesInAttribute } from '../../dataset/attributes.js';
import { boundsVariable, type Dataset, isVariable } from '../../dataset/variable.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { findGeographic, type GeographicAxis } from '../../dataset/geographic.js';
import { dimSelectionOf } from '../../dataset/positions.js';
import type { SliceCoordinate } from '../../dataset/slice-coordinate.js';
import { InputError, isZarrError, type LazySlice, type WeightFactor } from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';
import { assertReal, weightsOfVariable } from './value-weights.js';

/** Mean radius of the Earth in metres. */
const EARTH_RADIUS = 6_371_000;

/** @throws InputError that names the missing attribute or variable */
export async function cellAreas(
  slice: LazySlice,
  dataset: Dataset | undefined,
  scope: OperationScope,
): Promise<WeightFactor[]> {
  const measure = areaMeasure(slice);
  if (measure !== undefined && isVariable(dataset?.variables.get(measure)))
    return [await weightsOfVariable(slice, dataset, measure, scope)];
  const declared =
    measure === undefined
      ? 'the variable has no "area" in its attribute cell_measures'
      : `cell_measures names the area "${measure}", which is not a variable of the dataset`;
  try {
    const heights = await boundsAlong(slice, dataset, 'latitude', scope);
    const widths = await boundsAlong(slice, dataset, 'longitude', scope);
    return [
      { ...heights, form: 'sineDistance' },
      { ...widths, form: 'turn', scale: EARTH_RADIUS ** 2 * (Math.PI / 180) },
    ];
  } catch (error) {
    if (!isZarrError(error, 'BAD_INPUT')) throw error;
    throw new InputError(`CELL_AREA: ${declared}, and ${error.detail}`, { cause: error });
  }
}

/** The name in `cell_measures` (CF, section 7.2): "area: cell_area volume: cell_volume". */
function areaMeasure({ inputs }: LazySlice): string | undefined {
  const [input] = inputs;
  if (input === undefined) return undefined;
  const words = namesInAttribute(input.array.meta.attributes, 'cell_measures');
  const index = words.indexOf('area:');
  return index < 0 ? undefined : words[index + 1];
}

export async function boundsAlong(
  slice: LazySlice,
  dataset: Dataset | undefined,
  axis: GeographicAxis,
  scope: OperationScope,
): Promise<WeightFactor> {
  const coordinate = findGeographic(slice, dataset, axis, 'the area computed from bounds');
  const { variable, axes } = coordinate;
  if (variable === undefined) {
    if (coordinate.bounds === undefined) throw noBounds(coordinate);
    return { source: coordinate.bounds, axes, form: 'plain', label: `the bounds of "${coordinate.name}"` };
  }
  const bounds = dataset === undefined ? undefined : boundsVariable(dataset, variable);
  if (bounds === undefined) throw noBounds(coordinate);
  const { along } = coordinate;
  const fits =
    variable.dimensions.length === 1 &&
    bounds.dimensions[0] === variable.dimensions[0] &&
    bounds.shape.length === 2 &&
    bounds.shape[1] === 2;
  if (!fits || along === undefined)
    throw new InputError(
      `the bounds "${bounds.name}" must have two values for each element along "${coordinate.name}"`,
    );
  const whole = decodeSlice(bounds.stored, await scope.coordinates.decoding(bounds));
  const label = `the bounds "${bounds.name}"`;
  assertReal(whole.dtype, label);
  const source = whole.select({ kind: 'dims', dims: [dimSelectionOf(along), { kind: 'slice' }] });
  return { source, axes, form: 'plain', label };
}

function noBounds({ name }: SliceCoordinate): InputError {
  return new InputError(`the coordinate "${name}" has no bounds`);
}
