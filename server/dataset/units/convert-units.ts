/** Conversions between units as a factor and an offset. Pure. */
import { InputError } from '../../zarr/index.js';
import { parseUnits } from './parse-units.js';
import { divided, minus, numberOfRatio } from './unit-table.js';

export interface UnitConversion {
  readonly factor: number;
  readonly offset: number;
}

/**
 * @param isDifference whether the values are differences, to which the zero of a scale does not apply: 1 K is 1 degC
 * @throws InputError for unknown units, and for units of different quantities
 */
export function convertUnits(from: string, to: string, isDifference: boolean): UnitConversion {
  const [source, target] = [parseUnits(from), parseUnits(to)];
  if (source.powers.some((power, i) => power !== target.powers[i]))
    throw new InputError(
      `units ${JSON.stringify(from)} cannot be converted to ${JSON.stringify(to)}: they measure different quantities`,
    );
  const factor = numberOfRatio(divided(source.factor, target.factor));
  const offset = isDifference
    ? 0
    : numberOfRatio(divided(minus(source.origin, target.origin), target.factor));
  return { factor, offset };
}
