/** Weights given by the values of a variable. */
import { type Dataset, isVariable } from '../../dataset/dataset.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { axesAlong, coordinateAlong } from '../../dataset/slice-coordinates.js';
import type { Variable } from '../../dataset/variable.js';
import {
  type DataType,
  InputError,
  isRealName,
  type LazySlice,
  type WeightFactor,
} from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';

/**
 * @throws InputError for an unknown variable, a variable with other dimensions, or one that is not of real
 * numbers
 */
export async function weightsOfVariable(
  slice: LazySlice,
  dataset: Dataset | undefined,
  name: string,
  scope: OperationScope,
): Promise<WeightFactor> {
  const variable = dataset?.variables.get(name);
  if (variable !== undefined && !isVariable(variable)) throw variable;
  if (variable === undefined)
    throw new InputError(
      dataset === undefined
        ? `weights by the variable "${name}": the array does not belong to a dataset`
        : `weights: the dataset has no variable "${name}"`,
    );
  if (axesAlong(slice.origin, variable).some((axis) => isCoarsened(slice, axis)))
    throw new InputError(
      `weights by the variable "${name}" apply to elements, not to blocks; reduce before you coarsen`,
    );
  return weightsBy(slice, variable, scope, `the variable "${name}"`);
}

function isCoarsened({ origin, dims }: LazySlice, axis: number): boolean {
  const name = dims[axis]?.name;
  return origin.coarsened?.some((one) => one !== undefined && one.name === name) ?? false;
}

/** @throws InputError for a variable that does not match the slice or is not of real numbers */
export async function weightsBy(
  slice: LazySlice,
  variable: Variable,
  scope: OperationScope,
  label: string,
): Promise<WeightFactor> {
  const decoding = await scope.coordinates.decoding(variable);
  const source = coordinateAlong(slice.origin, variable, decodeSlice(variable.stored, decoding));
  if (source === undefined)
    throw new InputError(
      `weights by ${label}: its dimensions (${variable.dimensions.join(', ')}) must be among those of the slice (${shown(slice)}), with the same sizes`,
    );
  assertReal(source.dtype, label);
  return { source, axes: axesAlong(slice.origin, variable), form: 'plain', label };
}

export function assertReal({ name }: DataType, label: string): void {
  if (name !== 'bool' && !isRealName(name))
    throw new InputError(`weights by ${label}: unsupported data type ${name}; weights must be real numbers`);
}

function shown({ origin }: LazySlice): string {
  return origin.dimensionNames.map((name) => name ?? 'unnamed').join(', ') || 'none';
}
