/** Expressions of a dataset's variables. */
import { type AnyVariables, withTypes, type VariablesOf } from '../handles/stores.js';
import type { DatasetHandle, DimensionOf } from '../handles/dataset-handle.js';
import { InputError } from '../errors.js';
import type { SliceRequest, SliceStep } from '../generated/operations.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import { origins } from '../transport/origin.js';
import { createLazySlice, type LazySlice, type SliceOrigin } from './lazy-slice.js';
import { sources } from './load.js';

type VariablesIn<T> = VariablesOf<T> extends object ? VariablesOf<T> : AnyVariables;

export interface ComputeOptions {
  /** Results of the same gateway that the expression names, aligned by the labels of their dimensions; at most 8. */
  readonly inputs?: Readonly<Record<string, LazySlice>>;
}

/**
 * The values of an expression. Grammar and types are the same as for `Dataset.compute`. Errors in the expression
 * are thrown when the values are read. The result must have every dimension that `dataset.select`
 * restricts.
 *
 * @throws InputError BAD_INPUT if `dataset` is a handle of an array, or not a handle
 * @example
 * const wind = compute(client.store('era5').dataset(), 'sqrt(u10**2 + v10**2)');
 * const mean = await wind.mean('time').read();
 * @example
 * const monthly = lazySlice(sst).group({ part: { dim: 'time', part: 'MONTH' } }, 'MEAN');
 * const anomaly = compute(dataset, 'sst - monthly', { inputs: { monthly } });
 */
export function compute<T>(
  dataset: DatasetHandle<T>,
  expression: string,
  { inputs = {} }: ComputeOptions = {},
): LazySlice<DTypeName, DimensionOf<T> & string, VariablesIn<T>> {
  const origin = origins.get(dataset);
  if (origin?.selects === undefined)
    throw new InputError(
      'BAD_INPUT',
      'compute requires a handle of a dataset, such as client.store(name).dataset()',
    );
  const steps = origin.selects.map((named): SliceStep => ({ select: { named } }));
  const results = Object.entries(inputs).map(([name, input]) => ({
    name,
    slice: requestOf(name, input, origin),
  }));
  const slice = createLazySlice({ ...origin, compute: { expression, inputs: results } }, steps);
  return withTypes<LazySlice<DTypeName, DimensionOf<T> & string, VariablesIn<T>>>(slice);
}

/** @throws InputError for a slice of another client */
function requestOf(name: string, slice: LazySlice, { connection }: SliceOrigin): SliceRequest {
  const source = sources.get(slice);
  if (source?.connection === connection) return source.request;
  throw new InputError('BAD_INPUT', `the input "${name}" must be a lazy slice of the same client`);
}
