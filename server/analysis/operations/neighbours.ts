/** Finds the neighbours of target values among the labels of a dimension. */
import type { LabelKey } from '../../dataset/labels/label-keys.js';
import { neighbours, orderOf, type SortedKeys } from '../../dataset/labels/label-search.js';
import type { LabelsAlong } from '../../dataset/labels/labels-along.js';
import { type InterpolatedAxis, SelectionError } from '../../zarr/index.js';

/** Number of labels or targets processed between two yields. */
const PIECE = 2 ** 10;

/**
 * Converts targets to comparable keys: numbers unchanged, dates as ticks. Yields between pieces of work.
 * @throws SelectionError for any other target
 */
export function* targetKeys(
  { name, keys }: LabelsAlong,
  values: readonly unknown[],
): Generator<void, (number | bigint)[], void> {
  const targets: (number | bigint)[] = [];
  for (const value of values) {
    if (targets.length % PIECE === PIECE - 1) yield;
    if (keys.isNumeric && typeof value === 'number' && Number.isFinite(value)) {
      targets.push(value);
      continue;
    }
    // Numbers are not rounded to the type of the coordinate.
    const key = keys.isNumeric ? (wholeNumber(value) ?? counted(keys, value)) : keys.span(value).first;
    if (typeof key !== 'number' && typeof key !== 'bigint')
      throw new SelectionError(`interpolation along "${name}" requires ${keys.form}`);
    targets.push(key);
  }
  return targets;
}

/** A duration as text, in the unit of the coordinate. */
function counted({ countOf }: LabelsAlong['keys'], value: unknown): number | bigint | undefined {
  return typeof value === 'string' ? countOf?.(value) : undefined;
}

/** An integer of any size, as text or bigint; see the scalar JSON. */
function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'string' && /^-?\d{1,400}$/.test(value) ? BigInt(value) : undefined;
}

/**
 * Finds the labels next to each target. Yields between pieces of work.
 * @param axis the dimension of the slice
 * @throws SelectionError for a coordinate that is not sorted, repeats a label, or has neither numbers nor dates
 */
export function* findNeighbours(
  { name, keys }: LabelsAlong,
  axis: number,
  targets: readonly (number | bigint)[],
): Generator<void, InterpolatedAxis, void> {
  const order = yield* orderOf(keys);
  if (order === 'unsorted')
    throw new SelectionError(`the coordinate "${name}" is not sorted; interpolation requires sorted labels`);
  for (let i = 0; i < keys.size; i++) {
    if (i % PIECE === PIECE - 1) yield;
    const key = keys.at(i);
    if (typeof key !== 'number' && typeof key !== 'bigint')
      throw new SelectionError(
        `labels along "${name}" are ${keys.form}; interpolation requires numbers or dates`,
      );
    if (i > 0 && key === keys.at(i - 1))
      throw new SelectionError(`the coordinate "${name}" repeats the label ${keys.show(i)}`);
  }
  const sorted: SortedKeys = { keys, order, positions: undefined };
  const list = (): Float64Array => new Float64Array(targets.length).fill(-1);
  const [below, above, share] = [list(), list(), list()];
  for (const [i, target] of targets.entries()) {
    if (i % PIECE === PIECE - 1) yield;
    const { below: low, above: high } = neighbours(sorted, target);
    if (low === undefined || high === undefined) continue;
    below[i] = low;
    above[i] = high;
    share[i] = low === high ? 0 : shareOf(keys.at(low), keys.at(high), target);
  }
  return { axis, below, above, share };
}

/**
 * The position of a target between two labels, as a fraction. Ticks are subtracted as integers, before
 * conversion to floats.
 */
function shareOf(low: LabelKey | undefined, high: LabelKey | undefined, target: number | bigint): number {
  if (typeof low === 'bigint' && typeof high === 'bigint' && typeof target === 'bigint')
    return Number(target - low) / Number(high - low);
  return (Number(target) - Number(low)) / (Number(high) - Number(low));
}
