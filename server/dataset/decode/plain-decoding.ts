import type { DataType } from '../../zarr/index.js';
import type { Decoding } from './decoding.js';
import { planDecoding } from './plan-decoding.js';

/** Of values that are decoded already. */
export function plainDecoding(
  name: string,
  { dtype, shape }: { readonly dtype: DataType; readonly shape: readonly number[] },
): Decoding {
  return planDecoding({ name, zarrFormat: 3, dtype, shape, attributes: {}, fill: undefined });
}
