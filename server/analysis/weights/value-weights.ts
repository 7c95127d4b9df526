/** Weights given by the values of a variable. */
import { type Dataset, isVariable } from '../../dataset/variable.js';
import { decodedLabels, type SliceCoordinate } from '../../dataset/slice-coordinate.js';
import { variableAlong } from '../../dataset/slice-coordinates.js';
import {
  type DataType,
  InputError,
  isRealName,
  type LazySlice,
  nearest,
  type WeightFactor,
} from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';

/**
 * @throws InputError for an unknown variable, a variable with other dimensions, or one without real numbers
 */
export async function weightsOfVariable(
  slice: LazySlice,
  dataset: Dataset | undefined,
  name: string,
  scope: OperationScope,
): Promise<WeightFactor> {
  const quoted = name.slice(0, 100);
  const variable = dataset?.variables.get(name);
  if (variable !== undefined && !isVariable(variable)) throw variable;
  if (dataset === undefined)
    throw new InputError(`weights by the variable "${quoted}": the array does not belong to a dataset`);
  if (variable === undefined) {
    const [near] = nearest(name, dataset.variables.keys());
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    throw new InputError(`weights: the dataset has no variable "${quoted}"${hint}`);
  }
  const coordinate = variableAlong(slice, variable);
  if (coordinate !== undefined && variable.dimensions.some((name) => isCoarsened(slice, name)))
    throw new InputError(
      `weights by the variable "${name}" apply to elements, not to blocks; reduce before you coarsen`,
    );
  const label = `the variable "${name}"`;
  if (coordinate === undefined)
    throw new InputError(
      `weights by ${label}: its dimensions (${variable.dimensions.join(', ')}) must be among those of the slice (${shown(slice)}), with the same sizes`,
    );
  return weightsBy(coordinate, scope, label);
}

function isCoarsened({ origin }: LazySlice, name: string): boolean {
  return origin.coarsened?.some((dim) => dim !== undefined && dim.name === name) ?? false;
}

/** @throws InputError for a coordinate that does not contain real numbers */
export async function weightsBy(
  coordinate: SliceCoordinate,
  scope: OperationScope,
  label: string,
): Promise<WeightFactor> {
  const labels = await coordinate.labels(scope.coordinates);
  if (labels === undefined)
    throw new InputError(`weights by ${label}: unsupported data type; weights must be real numbers`);
  const source = decodedLabels(labels);
  assertReal(source.dtype, label);
  return { source, axes: coordinate.axes, form: 'plain', label };
}

export function assertReal({ name }: DataType, label: string): void {
  if (name !== 'bool' && !isRealName(name))
    throw new InputError(`weights by ${label}: unsupported data type ${name}; weights must be real numbers`);
}

function shown({ origin }: LazySlice): string {
  return origin.dimensionNames.map((name) => name ?? 'unnamed').join(', ') || 'none';
}
