/** The memory of a program: its registers, loading and storing values. */
import { elementOf, isComplexName } from '../../../wire/data-types.js';
import { narrowToHalves, widenHalves } from '../../../wire/float16.js';
import type { FixedSizeType } from '../../core/dtype/data-type.js';
import { storedNumbers, type StoredNumbers } from '../../core/dtype/number-access.js';
import { UnsupportedError } from '../../core/errors.js';
import { RUN, type Program } from './program.js';
import type { Words } from './word-kernels.js';

export type Register = Float64Array | Float32Array | Words;

/**
 * @param bytes bytes aligned to the type's size.
 * @throws UnsupportedError for types that are not real numbers or times
 */
function viewOf({ name }: FixedSizeType, bytes: Uint8Array, count: number): StoredNumbers {
  const element = isComplexName(name) ? undefined : elementOf(name);
  if (element === undefined) throw new UnsupportedError(`cannot compute with values of type ${name}`);
  return storedNumbers(element, bytes, count);
}

export function createRegisters({ registers, constants }: Program): Register[] {
  const arrays = registers.map((kind): Register => {
    if (kind === 'float') return new Float64Array(RUN);
    if (kind === 'single') return new Float32Array(RUN);
    return kind === 'int64' ? new BigInt64Array(RUN) : new BigUint64Array(RUN);
  });
  for (const { register, value } of constants) {
    const target = arrays[register];
    if (target === undefined) continue;
    if (isWords(target)) target.fill(BigInt(value));
    else target.fill(Number(value));
  }
  return arrays;
}

/** A view of the values if they have the type of the register; undefined otherwise. */
export function directView(
  register: Register | undefined,
  dtype: FixedSizeType,
  bytes: Uint8Array,
  n: number,
): Register | undefined {
  const { name } = dtype;
  const isDirect =
    (register instanceof Float64Array && name === 'float64') ||
    (register instanceof Float32Array && name === 'float32') ||
    (register instanceof BigInt64Array && name === 'int64') ||
    (register instanceof BigUint64Array && name === 'uint64');
  const view = isDirect ? viewOf(dtype, bytes, n) : undefined;
  return view instanceof Float64Array || view instanceof Float32Array || (view !== undefined && isWords(view))
    ? view
    : undefined;
}

/** Converts at most `RUN` elements to float64. */
export function loadRegister(
  register: Register | undefined,
  dtype: FixedSizeType,
  bytes: Uint8Array,
  n: number,
): void {
  const view = viewOf(dtype, bytes, n);
  if (!(register instanceof Float64Array) || isWords(view))
    throw new TypeError(`the register does not match the data type ${dtype.name}`);
  if (dtype.name === 'bool') loadTruth(n, register, view);
  else register.set(dtype.name === 'float16' && view instanceof Uint16Array ? widenHalves(view) : view);
}

/** Loads booleans: any byte except 0 is true. */
function loadTruth(n: number, register: Float64Array, bytes: ArrayLike<number>): void {
  for (let i = 0; i < n; i++) register[i] = bytes[i] === 0 ? 0 : 1;
}

export function storeRegister(
  register: Register | undefined,
  dtype: FixedSizeType,
  bytes: Uint8Array,
  n: number,
): void {
  const view = viewOf(dtype, bytes, n);
  if (register === undefined) throw new TypeError('the program has no result');
  if (isWords(register) && isWords(view)) view.set(register.subarray(0, n));
  else if (!isWords(register) && !isWords(view)) {
    const values = register.subarray(0, n);
    view.set(dtype.name === 'float16' ? narrowToHalves(Float32Array.from(values)) : values);
  } else throw new TypeError(`the data type of the result differs from ${dtype.name}`);
}

function isWords(array: StoredNumbers | Register): array is Words {
  return array instanceof BigInt64Array || array instanceof BigUint64Array;
}
