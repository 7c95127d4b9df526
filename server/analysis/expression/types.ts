/**
 * NumPy's type promotion. Python numbers adopt the type of the other operand (NEP 50).
 */
import { type FloatName, type IntegerName, isFloatName, isIntegerName } from '../../../wire/data-types.js';
import { type FixedSizeType, numberType } from '../../zarr/index.js';

/** Numeric types that expressions support. */
export type OperandName = 'bool' | IntegerName | FloatName;

export function isOperandName(name: string): name is OperandName {
  return name === 'bool' || isIntegerName(name) || isFloatName(name);
}

export function typeOfName(name: OperandName): FixedSizeType {
  return numberType(name);
}

export type Form = 'bool' | 'int' | 'uint' | 'float';

export function formOf(name: OperandName): { readonly form: Form; readonly bits: number } {
  const [, form = '', bits = '8'] = /^([a-z]+)(\d*)$/.exec(name) ?? [];
  return form === 'int' || form === 'uint' || form === 'float'
    ? { form, bits: Number(bits) }
    : { form: 'bool', bits: 8 };
}

export function isFloat(name: OperandName): boolean {
  return formOf(name).form === 'float';
}

export function isWide(name: OperandName): name is 'int64' | 'uint64' {
  return name === 'int64' || name === 'uint64';
}

/** The smallest type that can represent the values of both: NumPy's `promote_types`. */
export function promote(a: OperandName, b: OperandName): OperandName {
  if (a === b || b === 'bool') return a;
  if (a === 'bool') return b;
  const [x, y] = [formOf(a), formOf(b)];
  if (x.form === y.form) return x.bits >= y.bits ? a : b;
  if (y.form === 'float') return floatAbove(y.bits, x.bits);
  if (x.form === 'float') return floatAbove(x.bits, y.bits);
  const [signed, unsigned] = x.form === 'int' ? [x, y] : [y, x];
  if (signed.bits > unsigned.bits) return integers.get(signed.bits) ?? 'int64';
  return integers.get(2 * unsigned.bits) ?? 'float64';
}

const integers: ReadonlyMap<number, OperandName> = new Map([
  [8, 'int8'],
  [16, 'int16'],
  [32, 'int32'],
  [64, 'int64'],
]);

const floats: ReadonlyMap<number, OperandName> = new Map([
  [16, 'float16'],
  [32, 'float32'],
]);

/** The smallest float of at least `bits` bits that represents integers of `integerBits` bits; float64 for 64 bits. */
function floatAbove(bits: number, integerBits: number): OperandName {
  return floats.get(Math.max(bits, 2 * integerBits)) ?? 'float64';
}

/**
 * The argument type of float functions: integers are converted to the smallest float that represents them,
 * 64-bit integers to float64.
 */
export function floatOf(name: OperandName): OperandName {
  const { form, bits } = formOf(name);
  return form === 'float' ? name : floatAbove(16, bits);
}

/** The smallest and largest value of an integer type. */
export function rangeOf(name: OperandName): readonly [bigint, bigint] {
  const { form, bits } = formOf(name);
  if (form === 'bool') return [0n, 1n];
  const half = 2n ** BigInt(bits - 1);
  return form === 'int' ? [-half, half - 1n] : [0n, 2n * half - 1n];
}
