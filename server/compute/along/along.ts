/** Computations along an axis, on rows of numbers: each row has the values at one position of the axis. */
import { elementArrays, isNumberArrayName, isTimeName } from '../../../wire/data-types.js';
import { halfFromFloat } from '../../../wire/float16.js';
import type { Block, DataType, FixedSizeType } from '../../core/dtype/data-type.js';
import { storedNumbers } from '../../core/dtype/number-access.js';
import { UnsupportedError } from '../../core/errors.js';
import { floatPieces, isReal } from '../float-elements.js';

/** Missing numbers are NaN; of times, which are counts, -2^63. Other 64-bit integers are never missing. */
export type AlongNumbers = Float64Array | BigInt64Array | BigUint64Array;

export interface AlongRows {
  /** Rows of `columns` numbers each, at consecutive positions from `first`; complex numbers are two numbers each. */
  readonly values: AlongNumbers;
  readonly columns: number;
  readonly first: number;
  /** The position after the last row. */
  readonly stop: number;
}

/** The rows of results from position `from` on; `to` is exclusive. */
export interface AlongResults {
  readonly values: AlongNumbers;
  readonly from: number;
  readonly to: number;
}

/**
 * Which positions of the input a result depends on. `before`: all up to its position, so that pieces are added in order.
 * `whole`: all of the axis, in one piece. Otherwise, the positions that the results of a range need.
 */
export type AlongReach =
  'before' | 'whole' | ((from: number, to: number, count: number) => readonly [first: number, stop: number]);

export interface AlongKernel {
  /** Data type of the results. */
  readonly dtype: FixedSizeType;
  readonly reach: AlongReach;
  /** Number of results along the axis, if it is not that of the positions. Requires the reach `whole`. */
  readonly size?: number;
  /** Nanoseconds per value, and per result of an own `size`; see `workOf`. */
  readonly work: number;
  /** Starts neighbouring columns. The states of a kernel with the reach `before` hold what earlier rows contribute. */
  readonly start: (columns: number) => AlongRun;
}

/**
 * Computes the results of rows. Yields every 100 microseconds or more often.
 * @param results for the reach `before`, the positions of the rows
 */
export type AlongRun = (rows: AlongRows, results: AlongResults) => Generator<void>;

/** Number of values computed between two yields. */
export const VALUES_PER_STEP = 16_384;

/** Whether numbers of this type are exact as float64; otherwise, they are bigints. */
export function isPlain({ name }: DataType): boolean {
  return !isTimeName(name) && name !== 'int64' && name !== 'uint64';
}

/** @throws UnsupportedError for other types than real numbers and times */
export function assertAlong(dtype: DataType, operation: string): asserts dtype is FixedSizeType {
  if (!isReal(dtype) && !isTimeName(dtype.name))
    throw new UnsupportedError(`"${operation}" of type ${dtype.name} is not supported`);
}

export function createNumbers(dtype: DataType, length: number): AlongNumbers {
  if (isPlain(dtype)) return new Float64Array(length);
  return dtype.name === 'uint64' ? new BigUint64Array(length) : new BigInt64Array(length);
}

/** Memory for the numbers of one box after another. The garbage collector would release new memory for each box late. */
export interface AlongMemory {
  values: Float64Array;
  results: AlongNumbers | undefined;
  elements: ArrayBuffer;
}

export function createAlongMemory(): AlongMemory {
  return { values: new Float64Array(0), results: undefined, elements: new ArrayBuffer(0) };
}

/** Zeros for the results of a box. @param dtype the same for all boxes of the memory */
export function resultsIn(memory: AlongMemory, dtype: DataType, length: number): AlongNumbers {
  if (memory.results === undefined || memory.results.length < length) {
    memory.results = createNumbers(dtype, length);
    return memory.results;
  }
  const results = memory.results.subarray(0, length);
  if (results instanceof Float64Array) results.fill(0);
  else results.fill(0n);
  return results;
}

/** The elements of a block as numbers, in the memory or in that of the block. Yields between pieces. */
export function* alongNumbers(block: Block, memory: AlongMemory): Generator<void, AlongNumbers, void> {
  if (!('bytes' in block)) throw new TypeError('numbers have a fixed size');
  const { dtype } = block;
  if (dtype.name === 'complex128' || dtype.name === 'float64') return floatsIn(block.bytes);
  if (isPlain(dtype)) {
    const length = block.bytes.length / dtype.itemSize;
    if (memory.values.length < length) memory.values = new Float64Array(length);
    const values = memory.values.subarray(0, length);
    for (const piece of floatPieces(block)) {
      values.set(piece.values.subarray(0, piece.count), piece.start);
      yield;
    }
    return values;
  }
  const bytes = block.bytes.byteOffset % 8 === 0 ? block.bytes : new Uint8Array(block.bytes);
  return storedNumbers(dtype.name === 'uint64' ? 'uint64' : 'int64', bytes, bytes.length / 8);
}

function floatsIn(bytes: Uint8Array): Float64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, aligned.length / 8);
}

/** AlongNumbers as the elements of a data type, in the memory or in that of the numbers. */
export function bytesOfNumbers(
  numbers: AlongNumbers,
  { name, itemSize }: FixedSizeType,
  memory: AlongMemory,
): Uint8Array {
  if (!(numbers instanceof Float64Array) || name === 'float64')
    return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (name === 'float16') return new Uint8Array(Uint16Array.from(numbers, halfFromFloat).buffer);
  if (name === 'bool') return Uint8Array.from(numbers);
  if (!isNumberArrayName(name) || name === 'int64' || name === 'uint64')
    throw new TypeError(`${name} is not exact as float64`);
  const length = numbers.length * itemSize;
  if (memory.elements.byteLength < length) memory.elements = new ArrayBuffer(length);
  const elements = new elementArrays[name](memory.elements, 0, numbers.length);
  elements.set(numbers);
  return new Uint8Array(memory.elements, 0, length);
}

/** Writes a number or a bigint to numbers of either form. */
export function put(numbers: AlongNumbers, at: number, value: number | bigint): void {
  if (numbers instanceof Float64Array) numbers[at] = Number(value);
  else numbers[at] = BigInt(value);
}
