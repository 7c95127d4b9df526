import type { DataType } from '../../zarr/index.js';
import type { Decoding } from './decoding.js';
import { planDecoding } from './plan-decoding.js';

/** The decoding of values that are already decoded. */
export function plainDecoding(
  name: string,
  { dtype, shape }: { readonly dtype: DataType; readonly shape: readonly number[] },
): Decoding {
  return planDecoding({ name, zarrFormat: 3, dtype, shape, attributes: {}, fill: undefined });
}
