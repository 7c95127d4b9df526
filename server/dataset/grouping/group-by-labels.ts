/** Groups labels by intervals between edges, or by equal values. Yields after every `STEP` labels. */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere, InputError, LimitError, searchFrom, sortInSteps } from '../../zarr/index.js';
import type { LabelDirection, LabelKey, LabelKeys } from '../labels/label-keys.js';
import { compare } from '../labels/label-search.js';
import type { Groups, Spans } from './calendar-groups.js';
import { type BinSide, MAX_VALUES } from './grouping.js';

export const STEP = 4096;

/** Labels, and their order; undefined if they are not sorted, if some are missing, or if it is not known. */
export interface SortedLabels {
  readonly keys: LabelKeys;
  readonly direction: Exclude<LabelDirection, 'unsorted'> | undefined;
}

/**
 * @param edges ascending edges. Labels outside all intervals do not belong to a group
 * @throws InputError unless the edges ascend
 */
export function* binsOf(
  { keys, direction }: SortedLabels,
  edges: readonly LabelKey[],
  closed: BinSide,
): Generator<void, Groups | Spans, void> {
  if (edges.length < 2) throw new InputError(`"edges" has ${edges.length} labels; expected at least 2`);
  const wrong = edges.findIndex((edge, i) => i > 0 && !(edge > (edges[i - 1] ?? edge)));
  if (wrong >= 0)
    throw new InputError(
      `"edges" must be in ascending order; the edge at index ${wrong} is not greater than the previous one`,
    );
  if (direction === 'ascending') {
    // The order of the keys and of the edges is the same.
    const isAfter = (edge: LabelKey, key: LabelKey | undefined): boolean =>
      key === undefined || edge < key || (closed === 'LEFT' && edge <= key);
    const starts = edges.map((edge) => firstIndexWhere(0, keys.size, (i) => isAfter(edge, keys.at(i))));
    return { kind: 'spans', starts: Float64Array.from(starts) };
  }
  const of = new Int32Array(keys.size);
  const count = edges.length - 1;
  for (let i = 0; i < of.length; i++) {
    const key = keys.at(i);
    const bin = key === undefined ? -1 : edgesBelow(edges, key, closed) - 1;
    of[i] = bin < count ? bin : -1;
    if (i % STEP === STEP - 1) yield;
  }
  return { kind: 'groups', of, count };
}

/** The number of edges less than a label; for intervals closed on the left, less than or equal to it. */
function edgesBelow(edges: readonly LabelKey[], key: LabelKey, closed: BinSide): number {
  return firstIndexWhere(0, edges.length, (i) => {
    const edge = edges[i] ?? key;
    return !(edge < key || (closed === 'LEFT' && edge <= key));
  });
}

/**
 * The distinct values in ascending order; text is ordered by UTF-16 code units.
 * @throws LimitError for too many
 */
export function* groupEqual(
  labels: SortedLabels,
): Generator<void, (Groups | Spans) & { readonly values: readonly LabelKey[] }, void> {
  const { keys } = labels;
  if (labels.direction === 'ascending') return yield* runsOfEqual(keys);
  const seen = new Map<LabelKey, number>();
  const of = new Int32Array(keys.size);
  for (let i = 0; i < of.length; i++) {
    const key = keys.at(i);
    const known = key === undefined ? -1 : seen.get(key);
    of[i] = known ?? seen.size;
    if (key !== undefined && known === undefined) seen.set(key, seen.size);
    assertFew(seen.size);
    if (i % STEP === STEP - 1) yield;
  }
  const found = [...seen.keys()];
  const order = yield* sortInSteps(Uint32Array.from(found.keys()), (a, b) => compare(found[a], found[b]));
  const values: LabelKey[] = [];
  const numbers = new Int32Array(found.length);
  order.forEach((number, group) => {
    const key = found[number];
    if (key !== undefined) values.push(key);
    numbers[number] = group;
  });
  yield;
  for (let i = 0; i < of.length; i++) {
    const group = of[i] ?? -1;
    if (group >= 0) of[i] = numbers[group] ?? -1;
    if (i % STEP === STEP - 1) yield;
  }
  return { kind: 'groups', of, count: values.length, values };
}

/** The runs of equal values among ascending ones. */
function* runsOfEqual(
  keys: LabelKeys,
): Generator<void, Spans & { readonly values: readonly LabelKey[] }, void> {
  const [starts, values]: [number[], LabelKey[]] = [[0], []];
  for (let [from, distance] = [0, 1]; from < keys.size;) {
    const key = defined(keys.at(from));
    values.push(key);
    assertFew(values.length);
    const to = searchFrom(from, keys.size, distance, (i) => (keys.at(i) ?? key) > key);
    starts.push(to);
    [from, distance] = [to, to - from];
    if (values.length % SEARCHED === 0) yield;
  }
  return { kind: 'spans', starts: Float64Array.from(starts), values };
}

/** Number of ends that are searched between two yields. */
const SEARCHED = 256;

function assertFew(values: number): void {
  if (values > MAX_VALUES)
    throw new LimitError(`the coordinate has more than ${MAX_VALUES} different values`, {
      excess: [{ limit: 'groups', allowed: MAX_VALUES, needed: values }],
    });
}
