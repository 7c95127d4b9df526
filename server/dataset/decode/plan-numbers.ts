/** Plans the decoding of numbers, booleans and complex numbers. Numbers may be packed, booleans, dates or durations. */
import { type ElementTransform, numberType, type RealName } from '../../zarr/index.js';
import type { DecodingOptions, VariableDecoding } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { integerBounds } from './valid-range.js';
import {
  isScaled,
  type Packing,
  parsePacking,
  type RealVariable,
  unpackedType,
  unpacking,
} from './packed-numbers.js';
import { planDates } from './plan-dates.js';
import { planDurations } from './plan-durations.js';
import { planBooleanNumbers } from './plan-booleans.js';

/** @throws MetadataError if an attribute is invalid */
export function planNumbers(variable: RealVariable, options: Required<DecodingOptions>): VariableDecoding {
  const packing = parsePacking(variable, options);
  const times = options.decodeTimes ? planTimes(variable, packing, options) : undefined;
  if (times !== undefined) return times;
  if (variable.attributes['dtype'] === 'bool') return planBooleanNumbers(variable, packing);
  const { encoding } = packing;
  const name = unpackedType(packing);
  const dtype = numberType(name);
  const isFloat = integerBounds(name) === undefined;
  const missing = isFloat ? 'nan' : 'none';
  return createDecoding(variable, {
    dtype,
    encoding,
    missing,
    transform: numberTransform(variable, packing, name),
  });
}

function planTimes(variable: RealVariable, packing: Packing, options: Required<DecodingOptions>) {
  return planDates(variable, packing) ?? planDurations(variable, packing, options.decodeDurations);
}

/** @returns undefined if the values need no transform */
function numberTransform(
  variable: RealVariable,
  packing: Packing,
  name: RealName,
): ElementTransform | undefined {
  const isSame = name === variable.dtype.name;
  if (name !== 'float16' && name !== 'float32' && name !== 'float64') {
    const { itemSize } = variable.dtype;
    return isSame ? undefined : { kind: 'copy', sourceBytes: itemSize, dtype: numberType(name) };
  }
  const { missing, packedRange } = packing.values;
  const isUntouched = isSame && missing.length === 0 && packedRange === undefined && !isScaled(packing);
  return isUntouched ? undefined : unpacking(packing, name);
}
