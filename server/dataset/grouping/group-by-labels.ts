/** Groups labels by intervals between edges, or by equal values. Yields after every `STEP` labels. */
import { firstIndexWhere, InputError, LimitError, sortInSteps } from '../../zarr/index.js';
import type { LabelKey, LabelKeys } from '../labels/label-keys.js';
import { compare } from '../labels/label-search.js';
import type { Groups } from './calendar-groups.js';
import { type BinSide, MAX_VALUES } from './grouping.js';

export const STEP = 4096;

/**
 * @param edges ascending edges. Labels outside all intervals do not belong to a group
 * @throws InputError unless the edges ascend
 */
export function* binsOf(
  keys: LabelKeys,
  edges: readonly LabelKey[],
  closed: BinSide,
): Generator<void, Groups, void> {
  if (edges.length < 2) throw new InputError(`"edges" has ${edges.length} labels; expected at least 2`);
  const wrong = edges.findIndex((edge, i) => i > 0 && !(edge > (edges[i - 1] ?? edge)));
  if (wrong >= 0)
    throw new InputError(
      `"edges" must be in ascending order; the edge at index ${wrong} is not greater than the previous one`,
    );
  const of = new Int32Array(keys.size);
  const count = edges.length - 1;
  for (let i = 0; i < of.length; i++) {
    const key = keys.at(i);
    const bin = key === undefined ? -1 : edgesBelow(edges, key, closed) - 1;
    of[i] = bin < count ? bin : -1;
    if (i % STEP === STEP - 1) yield;
  }
  return { of, count };
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
  keys: LabelKeys,
): Generator<void, Groups & { readonly values: readonly LabelKey[] }, void> {
  const seen = new Map<LabelKey, number>();
  const of = new Int32Array(keys.size);
  for (let i = 0; i < of.length; i++) {
    const key = keys.at(i);
    const known = key === undefined ? -1 : seen.get(key);
    of[i] = known ?? seen.size;
    if (key !== undefined && known === undefined) seen.set(key, seen.size);
    if (seen.size > MAX_VALUES)
      throw new LimitError(`the coordinate has more than ${MAX_VALUES} different values`, {
        excess: [{ limit: 'groups', allowed: MAX_VALUES, needed: seen.size }],
      });
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
  return { of, count: values.length, values };
}
