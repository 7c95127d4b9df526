/**
 * What users see of a variable, by the CF conventions and as xarray reads them: one pure decision made from metadata.
 *
 *     const decoding = planDecoding(variable);
 *     const block = decoding.decode(stored);
 *
 * Around it: `inheritTimeAttributes` gives a bounds variable the units of its coordinate before this, `parseFlags`
 * lists flags. Where all values of a variable are at hand (a coordinate that is kept), `decoding.refine(stored)` finds
 * the most fitting type for dates.
 */
import type { Decoding, DecodeOptions, StoredVariable } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { planBooleans } from './plan-booleans.js';
import { planComplex } from './plan-complex.js';
import { planNativeTimes } from './plan-native-times.js';
import { planNumbers } from './plan-numbers.js';
import { planText } from './plan-text.js';

/**
 * @throws MetadataError where an attribute that decoding needs is not what it should be; UnsupportedError where it is
 *   but there are no means for it. The message names variable and attribute.
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
      return planNumbers({ ...variable, dtype: { name, itemSize } }, complete);
    }
  }
}
