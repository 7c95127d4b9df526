/**
 * Determines from metadata how a variable is decoded by the CF conventions, as xarray does:
 *
 *     const decoding = planDecoding(variable);
 *     const block = decoding.decode(stored);
 *
 * Call `inheritTimeAttributes` first to give a bounds variable the units of its coordinate; `parseFlags`
 * lists flags. If all values of a variable are available (a cached coordinate), `decoding.refine(stored)`
 * finds the most suitable type for dates and durations.
 */
import { dataTypeName, isRealName, UnsupportedError, type DataType } from '../../zarr/index.js';
import type { DecodingOptions, StoredVariable, VariableDecoding } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { planNativeTimes } from './plan-native-dates.js';
import { planBooleans } from './plan-booleans.js';
import { planNumbers } from './plan-numbers.js';
import { planComplex } from './plan-complex.js';
import { planText } from './plan-text.js';

/**
 * @throws MetadataError if an attribute that decoding needs is invalid; UnsupportedError if it is valid but
 *   not supported, or the data type is not. Messages about attributes name variable and attribute.
 */
export function planDecoding(variable: StoredVariable, options: DecodingOptions = {}): VariableDecoding {
  const complete: Required<DecodingOptions> = {
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

/** Creates a decoding for values that are already decoded. */
export function plainDecoding(
  name: string,
  { dtype, shape }: { readonly dtype: DataType; readonly shape: readonly number[] },
): VariableDecoding {
  return planDecoding({ name, zarrFormat: 3, dtype, shape, attributes: {}, fill: undefined });
}
