/** Evaluates arithmetic of constants, with Python's results. */
import type { InputError } from '../../zarr/index.js';
import type { OperationName } from './syntax.js';
import { errorAt } from './tokens.js';

/** An integer or a float. */
export type ConstantValue = number | bigint;

const MAX_BITS = 64n;
const BOUND = 2n ** MAX_BITS;

/**
 * @returns undefined for operations other than arithmetic
 * @throws InputError where Python raises an error, and for integers of more than 64 bits
 */
export function fold(
  operation: OperationName,
  operands: readonly ConstantValue[],
  column: number,
): ConstantValue | undefined {
  const [a, b] = operands;
  if (a === undefined) return undefined;
  if (operation === 'negate') return -a;
  if (b === undefined) return undefined;
  switch (operation) {
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'remainder':
      return bounded(binary(operation, a, b, column), column);
    case 'divide':
      if (Number(b) === 0) throw divisionByZero(column);
      return Number(a) / Number(b);
    case 'power':
      return bounded(powerOf(a, b, column), column);
    default:
      return undefined;
  }
}

/** @throws InputError for an integer of more than 64 bits */
export function bounded(value: ConstantValue, column: number): ConstantValue {
  if (typeof value === 'number' || (value < BOUND && value > -BOUND)) return value;
  throw errorAt(column, 'the integer does not fit in 64 bits; write it with a decimal point or an exponent');
}

function binary(
  operation: 'add' | 'subtract' | 'multiply' | 'remainder',
  a: ConstantValue,
  b: ConstantValue,
  column: number,
): ConstantValue {
  if (operation === 'remainder' && Number(b) === 0) throw divisionByZero(column);
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (operation === 'remainder') {
      const rest = a % b;
      return rest === 0n || rest < 0n === b < 0n ? rest : rest + b;
    }
    return operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
  }
  const [x, y] = [Number(a), Number(b)];
  if (operation === 'remainder') {
    const rest = x % y;
    return rest === 0 || rest < 0 === y < 0 ? rest : rest + y;
  }
  return operation === 'add' ? x + y : operation === 'subtract' ? x - y : x * y;
}

function powerOf(a: ConstantValue, b: ConstantValue, column: number): ConstantValue {
  if (Number(a) === 0 && b < 0) throw divisionByZero(column);
  if (typeof a === 'bigint' && typeof b === 'bigint' && b >= 0n) {
    // For all other bases, larger exponents exceed 64 bits.
    if (a * a > 1n && b > MAX_BITS) return BOUND;
    return a * a > 1n ? a ** b : a ** (b === 0n ? 0n : 2n - (b % 2n));
  }
  const [x, y] = [Number(a), Number(b)];
  if (x < 0 && !Number.isInteger(y) && Number.isFinite(y))
    throw errorAt(
      column,
      'a negative number raised to a fraction is complex; expressions support real numbers only',
    );
  return x === 1 ? 1 : x ** y;
}

function divisionByZero(column: number): InputError {
  return errorAt(column, 'division by zero');
}
