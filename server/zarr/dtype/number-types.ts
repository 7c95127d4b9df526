/** The numeric data types (v3 core specification, "Core data types"), one shared object each. */
import {
  type FloatName,
  floatPartOf,
  integerRange,
  isComplexName,
  isFloatName,
  isNumberName,
  numberTypes,
} from '../../../wire/data-types.js';
import type { NumberName, NumberType } from './data-type.js';

export { type FloatName, floatPartOf, integerRange, isComplexName, isFloatName, isNumberName };

export function numberType<N extends NumberName>(name: N): NumberType<N> {
  return { name, itemSize: numberTypes[name].itemSize };
}

/** All names, in the order of the specification. */
export function numberNames(): readonly NumberName[] {
  return Object.keys(numberTypes).filter(isNumberName);
}
