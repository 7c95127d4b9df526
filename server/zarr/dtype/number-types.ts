/** The numeric data types (v3 core specification, "Core data types"), one shared object each. */
import { integerRange, isNumberName, numberTypes } from '../../../wire/data-types.js';
import type { NumberName, NumberType } from './data-type.js';

export { integerRange, isNumberName };

export function numberType<N extends NumberName>(name: N): NumberType<N> {
  return { name, itemSize: numberTypes[name].itemSize };
}

/** All names, in the order of the specification. */
export function numberNames(): readonly NumberName[] {
  return Object.keys(numberTypes).filter(isNumberName);
}

export type FloatName = 'float16' | 'float32' | 'float64';

/** The type of one part of a complex number, or the float type itself; undefined for what has no float parts. */
export function floatPartOf(name: NumberName): FloatName | undefined {
  if (name === 'float16' || name === 'float32' || name === 'float64') return name;
  if (name === 'complex64') return 'float32';
  if (name === 'complex128') return 'float64';
  return undefined;
}
