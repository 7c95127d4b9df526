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
 * @param scale the period after which labels repeat; whether values are linear in the logarithm of labels
 * @throws SelectionError for a coordinate that is not sorted, repeats a label, or has neither numbers nor dates
 */
export function* findNeighbours(
  { name, keys }: LabelsAlong,
  axis: number,
  targets: readonly (number | bigint)[],
  { wrap, isLog = false }: { readonly wrap?: number | undefined; readonly isLog?: boolean } = {},
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
  if (wrap !== undefined) return yield* wrappedNeighbours(name, sorted, axis, targets, wrap);
  if (isLog && (!keys.isNumeric || ![0, keys.size - 1].every((i) => Number(keys.at(i) ?? 1) > 0)))
    throw new SelectionError(`the method LOG requires labels above 0 along "${name}"`);
  const list = (): Float64Array => new Float64Array(targets.length).fill(-1);
  const [below, above, share] = [list(), list(), list()];
  for (const [i, target] of targets.entries()) {
    if (i % PIECE === PIECE - 1) yield;
    const { below: low, above: high } = neighbours(sorted, target);
    if (low === undefined || high === undefined) continue;
    below[i] = low;
    above[i] = high;
    if (low === high) continue;
    share[i] = (isLog ? logShareOf : shareOf)(keys.at(low), keys.at(high), target);
  }
  return { axis, below, above, share };
}

/** Distance between the ends of a circle, as a multiple of the largest distance of labels, above which there is a gap. */
const MAX_GAP = 1.5;

/**
 * The labels next to each target on a circle: those after the last label are between it and the first one of the next
 * turn, unless the labels leave a gap there, as those of a region do.
 * @throws SelectionError for dates
 */
function* wrappedNeighbours(
  name: string,
  { keys, order, positions }: SortedKeys,
  axis: number,
  targets: readonly (number | bigint)[],
  wrap: number,
): Generator<void, InterpolatedAxis, void> {
  const count = targets.length;
  const [below, above, share] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const [least, most] = order === 'ascending' ? [0, keys.size - 1] : [keys.size - 1, 0];
  const [first, last] = [Number(keys.at(least)), Number(keys.at(most))];
  if (!keys.isNumeric) throw new SelectionError(`"wrap" along "${name}" requires numbers`);
  let widest = 0;
  for (let i = 1; i < keys.size; i++) {
    widest = Math.max(widest, Math.abs(Number(keys.at(i)) - Number(keys.at(i - 1))));
    if (i % PIECE === PIECE - 1) yield;
  }
  const gap = first + wrap - last;
  const isClosed = gap <= MAX_GAP * widest;
  for (const [i, target] of targets.entries()) {
    if (i % PIECE === PIECE - 1) yield;
    const own = Number(target);
    const turned = own >= first && own <= last ? own : first + ((((own - first) % wrap) + wrap) % wrap);
    if (turned > last) {
      [below[i], above[i], share[i]] = isClosed ? [most, least, (turned - last) / gap] : [-1, -1, 0];
      continue;
    }
    const near = neighbours({ keys, order, positions }, turned);
    const [low, high] = [near.below ?? most, near.above ?? least];
    [below[i], above[i]] = [low, high];
    share[i] = low === high ? 0 : shareOf(keys.at(low), keys.at(high), turned);
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

/** The same fraction in logarithms. */
function logShareOf(low: LabelKey | undefined, high: LabelKey | undefined, target: number | bigint): number {
  return shareOf(Math.log(Number(low)), Math.log(Number(high)), Math.log(Number(target)));
}
