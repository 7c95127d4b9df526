/** Integers and floats: plain, packed, booleans stored as numbers, dates and durations. */
import { type ElementTransform, numberType, type RealName } from '../../zarr/index.js';
import { createDecoding } from './create-decoding.js';
import type { Decoding, DecodeOptions } from './decoding.js';
import {
  isScaled,
  parsePacking,
  unpackedType,
  unpacking,
  type Packing,
  type RealVariable,
} from './packed-numbers.js';
import { planBooleanNumbers } from './plan-booleans.js';
import { planDates } from './plan-dates.js';
import { planDurations } from './plan-durations.js';
import { integerBounds } from './stored-number.js';

/** @throws MetadataError if an attribute is invalid */
export function planNumbers(variable: RealVariable, options: Required<DecodeOptions>): Decoding {
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

function planTimes(variable: RealVariable, packing: Packing, options: Required<DecodeOptions>) {
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
