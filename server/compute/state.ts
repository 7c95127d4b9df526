/** The state of a reduction: arrays with one or more numbers per slot. A slot is one result. */

/**
 * State of several slots: plain data that is transferred between threads. An array with the numbers of a
 * single slot applies to all slots.
 */
export interface ReduceState {
  /** Number of values that are not missing. */
  readonly count: Float64Array;
  /** The arrays that the reducer defines. */
  readonly values: readonly Float64Array[];
}

/** One array of a state. */
export interface StateArray {
  /** Number of numbers per slot. */
  readonly width: number;
  /** Initial value of each number. */
  readonly initial: number;
}

export function createState(slots: number, arrays: readonly StateArray[]): ReduceState {
  return {
    count: new Float64Array(slots),
    values: arrays.map(({ width, initial }) => {
      const array = new Float64Array(slots * width);
      return Object.is(initial, 0) ? array : array.fill(initial);
    }),
  };
}

/** Size of a state in bytes. */
export function stateBytes(slots: number, arrays: readonly StateArray[]): number {
  return arrays.reduce((sum, { width }) => sum + width, 1) * slots * 8;
}

/** Validates data from another thread. */
export function isState(value: unknown, slots: number, arrays: readonly StateArray[]): value is ReduceState {
  if (typeof value !== 'object' || value === null || !('count' in value && 'values' in value)) return false;
  const { count, values } = value;
  const fits = (array: unknown, width: number): boolean =>
    array instanceof Float64Array && (array.length === slots * width || array.length === width);
  return (
    fits(count, 1) &&
    Array.isArray(values) &&
    values.length === arrays.length &&
    arrays.every(({ width }, a) => fits(values[a], width))
  );
}

/** Validates a state that has its own numbers for every slot. */
export function isWholeState(
  value: unknown,
  slots: number,
  arrays: readonly StateArray[],
): value is ReduceState {
  return (
    isState(value, slots, arrays) &&
    value.count.length === slots &&
    arrays.every(({ width }, a) => value.values[a]?.length === slots * width)
  );
}

/** An array of a state. @throws TypeError if it does not exist, which is a bug in a reducer */
export function arrayOf({ values }: Pick<ReduceState, 'values'>, index: number): Float64Array {
  const array = values[index];
  if (array === undefined) throw new TypeError(`the partial result has no array ${index}`);
  return array;
}

/** The number of a slot. @throws TypeError if the slot does not exist, which is a bug in a reducer */
export function numberAt(array: Float64Array, slot: number): number {
  const number = array[slot];
  if (number === undefined) throw new TypeError(`the partial result has no slot ${slot}`);
  return number;
}

/** Slots at equal strides in two states, to be merged pairwise. */
export interface SlotRun {
  readonly count: number;
  readonly to: number;
  readonly toStride: number;
  readonly from: number;
  readonly fromStride: number;
}

/** The first slot of a run and its stride. An array with a single slot has stride 0. */
export function layoutIn(
  array: Float64Array,
  { from, fromStride }: SlotRun,
  width = 1,
): readonly [from: number, stride: number] {
  return array.length === width ? [0, 0] : [from, fromStride];
}
