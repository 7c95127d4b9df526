/** Computes results from the state of a reduction. */
import { halfFromFloat } from '../../../../wire/float16.js';
import type { DataType } from '../../dtype/data-type.js';
import { UnsupportedError } from '../../errors.js';
import type { ReductionName } from './reduction.js';
import type { ReduceState } from './state.js';
import { integerSumAt, sumAt } from './sum.js';
import { floorQuotient } from '../line/means.js';
import { integerOf, planesOf, WORD } from '../number-planes.js';

export interface FinishOptions {
  readonly by: ReductionName;
  readonly skipMissing: boolean;
  /** Data type of the input. */
  readonly source: DataType;
  /** Data type of the result. */
  readonly dtype: DataType;
  readonly ddof: number;
  readonly minCount: number | undefined;
  /** Whether the reduction is weighted. */
  readonly isWeighted?: boolean | undefined;
  /** Whether the SUM of no elements is missing, as for a group without members. Otherwise it is 0. */
  readonly isEmptyMissing?: boolean | undefined;
}

/** Properties of the elements of each result. */
export interface SlotFacts {
  /** Number of elements of a result, including missing ones. */
  readonly elements: (slot: number) => number;
  /** Converts the position of an element to the index that ARGMIN and ARGMAX return. */
  readonly indexOf: (position: number) => number;
}

/** One result; undefined or NaN if it is missing. */
export type Result = number | bigint | readonly [re: number, im: number] | undefined;

const SLOTS_PER_STEP = 4096;
const NAT = -(2n ** 63n);

/**
 * Writes the results in C order. Yields every `SLOTS_PER_STEP` slots, or `MEANS_PER_STEP` for plain means.
 * @throws UnsupportedError if an integer sum does not fit in the result's 64 bits, or for a data type that
 * `writerOf` does not support
 */
export function* finishState(
  state: ReduceState,
  options: FinishOptions,
  facts: SlotFacts,
  bytes: Uint8Array,
): Generator<void> {
  if (isPlainMean(options)) {
    yield* finishMeans(state, options, bytes);
    return;
  }
  const write = writerOf(options.dtype, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  for (let slot = 0; slot < state.count.length; slot++) {
    const isNone = isMissing(state, slot, options, facts);
    write(slot, isNone ? undefined : resultAt(state, slot, options, facts));
    if (slot % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
  }
}

/**
 * Whether the fast path applies: unweighted float means of numbers with one plane, missing values skipped.
 */
function isPlainMean({ by, skipMissing, source, dtype, isWeighted }: FinishOptions): boolean {
  if (by !== 'MEAN' || !skipMissing || isWeighted === true || planesOf(source) !== 1) return false;
  return !source.name.startsWith('complex') && (dtype.name === 'float32' || dtype.name === 'float64');
}

function* finishMeans(
  { count, values: [sum, lack] }: ReduceState,
  { minCount = 0, dtype }: FinishOptions,
  bytes: Uint8Array,
): Generator<void> {
  if (sum === undefined || lack === undefined) throw new TypeError('the partial result of a mean has no sum');
  const { length } = count;
  const means = dtype.name === 'float32' ? new Float32Array(length) : new Float64Array(length);
  for (let from = 0; from < length; from += MEANS_PER_STEP) {
    divide(sum, lack, count, Math.max(1, minCount), means, from, Math.min(length, from + MEANS_PER_STEP));
    yield;
  }
  bytes.set(new Uint8Array(means.buffer));
}

const MEANS_PER_STEP = 65_536;

/** Like `sumAt`, divided by the number of values; NaN with fewer values than `least`. */
function divide(
  sum: Float64Array,
  lack: Float64Array,
  count: Float64Array,
  least: number,
  means: Float32Array | Float64Array,
  from: number,
  to: number,
): void {
  for (let slot = from; slot < to; slot++) {
    const present = count[slot] ?? 0;
    const value = sum[slot] ?? 0;
    const total = Number.isFinite(value) ? value + (lack[slot] ?? 0) : value;
    means[slot] = present < least ? NaN : total / present;
  }
}

function isMissing(
  { count }: ReduceState,
  slot: number,
  { by, skipMissing, minCount = 0, isEmptyMissing = false }: FinishOptions,
  facts: SlotFacts,
): boolean {
  const present = count[slot] ?? 0;
  if (present < minCount) return true;
  const hasGaps = (): boolean => !skipMissing && present < facts.elements(slot);
  switch (by) {
    case 'SUM':
      return hasGaps() || (isEmptyMissing && present === 0 && facts.elements(slot) === 0);
    case 'MEAN':
    case 'MIN':
    case 'MAX':
    case 'STD':
    case 'VAR':
      return present === 0 || hasGaps();
    case 'FIRST':
    case 'LAST':
      return present === 0;
    default:
      return false;
  }
}

function resultAt(
  state: ReduceState,
  slot: number,
  options: FinishOptions,
  { elements, indexOf }: SlotFacts,
): Result {
  const { by, skipMissing, source: dtype } = options;
  const { count, values } = state;
  const present = count[slot] ?? 0;
  if (options.isWeighted === true) return weightedResult(by, state, slot);
  const at = (plane: number): number => values[plane]?.[slot] ?? 0;
  const words = planesOf(dtype);
  switch (by) {
    case 'COUNT':
      return BigInt(present);
    case 'SUM':
      if (dtype.name.startsWith('complex')) return [sumAt(state, 0, slot), sumAt(state, 1, slot)];
      return dtype.name.startsWith('float')
        ? sumAt(state, 0, slot)
        : checkedSum(integerSum(dtype, state, slot), options);
    case 'MEAN': {
      if (dtype.name.startsWith('complex'))
        return [sumAt(state, 0, slot) / present, sumAt(state, 1, slot) / present];
      if (words === 1) return sumAt(state, 0, slot) / present;
      const sum = integerSum(dtype, state, slot);
      return dtype.name.startsWith('numpy') ? floorQuotient(sum, BigInt(present)) : Number(sum) / present;
    }
    case 'VAR':
    case 'STD': {
      const variance = at(2) / (present - options.ddof);
      if (present <= options.ddof) return undefined;
      return by === 'VAR' ? variance : Math.sqrt(variance);
    }
    case 'MIN':
    case 'MAX':
      return words === 1 ? at(0) : integerOf(at(0), at(1));
    case 'FIRST':
    case 'LAST':
      return words === 1 ? at(1) : Number.isNaN(at(1)) ? undefined : integerOf(at(1), at(2));
    case 'ANY':
      return at(0) > 0 ? 1 : 0;
    case 'ALL':
      return at(0) === elements(slot) ? 1 : 0;
    case 'ARGMIN':
    case 'ARGMAX':
      if (present === 0) return -1n;
      return BigInt(indexOf(!skipMissing && present < elements(slot) ? at(0) : at(values.length - 1)));
    default:
      throw new TypeError(`the reduction ${by} has no partial result`);
  }
}

/** Computes a weighted result. If the total weight is 0, means and deviations are NaN. */
function weightedResult(by: ReductionName, state: ReduceState, slot: number): number {
  const at = (array: number): number => state.values[array]?.[slot] ?? 0;
  switch (by) {
    case 'SUM':
      return sumAt(state, 1, slot);
    case 'MEAN':
      return sumAt(state, 1, slot) / sumAt(state, 0, slot);
    case 'VAR':
      return at(3) / at(0);
    case 'STD':
      return Math.sqrt(at(3) / at(0));
    default:
      throw new TypeError(`the reduction ${by} does not support weights`);
  }
}

function integerSum(dtype: DataType, state: ReduceState, slot: number): bigint {
  const first = integerSumAt(state, 0, slot);
  return planesOf(dtype) === 1 ? first : first * BigInt(WORD) + integerSumAt(state, 1, slot);
}

function checkedSum(sum: bigint, { dtype }: FinishOptions): bigint {
  const fits = dtype.name === 'uint64' ? BigInt.asUintN(64, sum) : BigInt.asIntN(64, sum);
  if (fits !== sum)
    throw new UnsupportedError(
      `the sum ${sum} does not fit in ${dtype.name}; query \`statistics { sum }\` of its elements, which has no size limit`,
    );
  return sum;
}

/**
 * Creates a function that writes results of a data type.
 * @throws UnsupportedError for a data type that no reduction of numbers or times returns
 */
export function writerOf(
  { name, itemSize }: DataType,
  view: DataView,
): (slot: number, value: Result) => void {
  const real = (value: Result): number => (Array.isArray(value) || value === undefined ? NaN : Number(value));
  const big = (value: Result): bigint =>
    typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(value) : NAT;
  const pair = (value: Result): readonly [number, number] => (typeof value === 'object' ? value : [NaN, NaN]);
  const put = ((): ((at: number, value: Result) => void) => {
    switch (name) {
      case 'bool':
      case 'uint8':
        return (at, value) => view.setUint8(at, real(value));
      case 'int8':
        return (at, value) => view.setInt8(at, real(value));
      case 'int16':
        return (at, value) => view.setInt16(at, real(value), true);
      case 'uint16':
        return (at, value) => view.setUint16(at, real(value), true);
      case 'int32':
        return (at, value) => view.setInt32(at, real(value), true);
      case 'uint32':
        return (at, value) => view.setUint32(at, real(value), true);
      case 'float16':
        return (at, value) => view.setUint16(at, halfFromFloat(real(value)), true);
      case 'float32':
        return (at, value) => view.setFloat32(at, real(value), true);
      case 'float64':
        return (at, value) => view.setFloat64(at, real(value), true);
      case 'complex64':
        return (at, value) => pair(value).forEach((part, i) => view.setFloat32(at + 4 * i, part, true));
      case 'complex128':
        return (at, value) => pair(value).forEach((part, i) => view.setFloat64(at + 8 * i, part, true));
      case 'uint64':
        return (at, value) => view.setBigUint64(at, big(value), true);
      case 'int64':
      case 'numpy.datetime64':
      case 'numpy.timedelta64':
        return (at, value) => view.setBigInt64(at, big(value), true);
      default:
        throw new UnsupportedError(`unsupported data type ${name} for the result of a reduction`);
    }
  })();
  return (slot, value) => put(slot * (itemSize ?? 0), value);
}
