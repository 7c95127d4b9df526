/** The numeric data types (v3 core specification, "Core data types"), one shared object each. */
import type { NumberName, NumberType } from './data-type.js';

const itemSizes: Readonly<Record<NumberName, number>> = {
  bool: 1,
  int8: 1, int16: 2, int32: 4, int64: 8,
  uint8: 1, uint16: 2, uint32: 4, uint64: 8,
  float16: 2, float32: 4, float64: 8,
  complex64: 8, complex128: 16,
}; // prettier-ignore

export function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(itemSizes, name);
}

export function numberType<N extends NumberName>(name: N): NumberType<N> {
  return { name, itemSize: itemSizes[name] };
}

/** All names, in the order of the specification. */
export function numberNames(): readonly NumberName[] {
  return Object.keys(itemSizes).filter(isNumberName);
}

export type FloatName = 'float16' | 'float32' | 'float64';

/** The type of one part of a complex number, or the float type itself; undefined for what has no float parts. */
export function floatPartOf(name: NumberName): FloatName | undefined {
  if (name === 'float16' || name === 'float32' || name === 'float64') return name;
  if (name === 'complex64') return 'float32';
  if (name === 'complex128') return 'float64';
  return undefined;
}

/** Smallest and largest value of an integer type; undefined for the others. */
export function integerRange(name: NumberName): readonly [bigint, bigint] | undefined {
  const match = /^(u?)int(\d+)$/.exec(name);
  if (match === null) return undefined;
  const bits = BigInt(match[2] ?? 0);
  return match[1] === 'u' ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}
