/** Converts the units of values. */
import * as z from 'zod';
import { convertUnits } from '../../dataset/units/convert-units.js';
import { MAX_UNITS_LENGTH } from '../../dataset/units/parse-units.js';
import { convertSlice, InputError } from '../../zarr/index.js';
import { declareOperation } from './declared.js';

const units = z.string().max(MAX_UNITS_LENGTH);

export const convertOperation = declareOperation({
  about: 'Converts the values to other units, such as `degC`.',
  details:
    'Units are products of powers of names, in the forms of UDUNITS: `m s-1`, `kg m**-2`, `mm/day`. Values are computed in float64 and rounded once; floats keep their type, integers become float64. Unknown units, and those of different quantities, are `BAD_INPUT`.',
  form: z.strictObject({
    units: units.describe('The units of the result.'),
    from: units
      .exactOptional()
      .describe(
        'The units of the values. By default, the attribute `units` of the variable, or those of an earlier conversion; required for expressions and after operations that change the units.',
      ),
    isDifference: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether the values are differences, to which the zero of a temperature scale does not apply: 1 K is then 1 degC. By default, true for sums, and after anomalies, differences and deviations.',
      ),
  }),
  result: 'mean',
  step: (convert) => ({ convert }),
  async complete(value, { quantity }) {
    const known = value.from === undefined || value.isDifference === undefined ? await quantity?.() : undefined;
    const from = value.from ?? known?.units;
    if (from === undefined)
      throw new InputError('the units of these values are not known; set "from"');
    return { ...value, from, isDifference: value.isDifference ?? known?.isDifference ?? false };
  },
  apply(slice, { units: to, from = '', isDifference = false }) {
    return convertSlice(slice, convertUnits(from, to, isDifference));
  },
}); // prettier-ignore
