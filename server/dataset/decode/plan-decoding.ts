/**
 * Determines from metadata how a variable is decoded by the CF conventions, like xarray does:
 *
 *     const decoding = planDecoding(variable);
 *     const block = decoding.decode(stored);
 *
 * Related: call `inheritTimeAttributes` first to give a bounds variable the units of its coordinate;
 * `parseFlags` lists flags. If all values of a variable are available (a cached coordinate),
 * `decoding.refine(stored)` finds the most suitable type for dates.
 */
import { dataTypeName, isRealName, UnsupportedError } from '../../zarr/index.js';
import type { Decoding, DecodeOptions, StoredVariable } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { planBooleans } from './plan-booleans.js';
import { planComplex } from './plan-complex.js';
import { planNativeTimes } from './plan-native-times.js';
import { planNumbers } from './plan-numbers.js';
import { planText } from './plan-text.js';

/**
 * @throws MetadataError if an attribute that decoding needs is invalid; UnsupportedError if it is valid but
 *   not supported. The message names variable and attribute.
 */
export function planDecoding(variable: StoredVariable, options: DecodeOptions = {}): Decoding {
  const complete: Required<DecodeOptions> = {
    useFillValue: variable.zarrFormat < 3,
    maskOutOfRange: false,
    decodeTimes: true,
    decodeDurations: false,
    joinCharacters: true,
    ...options,
  };
  const { dtype } = variable;
  switch (dtype.name) {
    case 'bool':
      return planBooleans(variable, complete.useFillValue);
    case 'complex64':
    case 'complex128': {
      const { name, itemSize } = dtype;
      return planComplex(variable, { name, itemSize }, complete.useFillValue);
    }
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'string':
      return planText(variable, complete);
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return planNativeTimes(variable, dtype);
    case 'raw_bytes':
    case 'raw_bits':
    case 'struct':
    case 'variable_length_bytes':
    case 'json':
    case 'ragged':
    case 'unknown':
      return createDecoding(variable, { dtype, encoding: {}, missing: 'none' });
    default: {
      const { name, itemSize } = dtype;
      if (!isRealName(name))
        throw new UnsupportedError(`decoding of the data type ${dataTypeName(dtype)} is not supported`);
      return planNumbers({ ...variable, dtype: { name, itemSize } }, complete);
    }
  }
}
