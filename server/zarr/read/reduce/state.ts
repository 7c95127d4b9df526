/** What a reduction remembers of the elements that it has seen: arrays with one number a slot, a slot being one result. */
import type { RunDim } from '../sinks/elements.js';

/** Plain data, which travels between threads. With a single slot it stands for any number of equal ones. */
export interface ReduceState {
  /** Values that are not missing. */
  readonly count: Float64Array;
  /** What they mean is up to the kernel. */
  readonly values: readonly Float64Array[];
}

/** Elements in C order, as numbers, and the slots that they go to. */
export interface Piece {
  readonly length: number;
  /** One number, or several that stand for one value together, for each element. Valid until the next piece. */
  readonly planes: readonly Float64Array[];
  /** 1 for a value, 0 for a missing one; undefined: none is missing. */
  readonly present: Float64Array | undefined;
  /** `to` is the distance of slots, 0 along dimensions that are reduced. */
  readonly dims: readonly RunDim[];
  /** The slot of the first element. */
  readonly slot: number;
}

export interface Kernel {
  /** The state of no elements: the number that each of its arrays holds. */
  initial(planes: number): readonly number[];
  add(state: ReduceState, piece: Piece): void;
  /** The numbers of a slot that has seen one element, which is not missing, `times` times: in closed form. */
  repeated(element: readonly number[], times: number): readonly number[];
  /** Adds slot `j` of one state to slot `i` of another. The counts of the two are added afterwards. */
  merge(into: ReduceState, i: number, from: ReduceState, j: number): void;
}

export function createState(slots: number, initial: readonly number[]): ReduceState {
  return {
    count: new Float64Array(slots),
    values: initial.map((value) =>
      value === 0 ? new Float64Array(slots) : new Float64Array(slots).fill(value),
    ),
  };
}

/** For what comes back from a thread. */
export function isState(value: unknown, slots: number, arrays: number): value is ReduceState {
  if (typeof value !== 'object' || value === null || !('count' in value && 'values' in value)) return false;
  const { count, values } = value;
  const fits = (array: unknown): boolean => array instanceof Float64Array && array.length === slots;
  return fits(count) && Array.isArray(values) && values.length === arrays && values.every(fits);
}

/**
 * Rows of elements that go to one slot (`stride` 0) or to slots at equal distances.
 * @param visit the row's first element within the piece, its length, its first slot, the distance of its slots
 */
export function forEachRow(
  { dims, slot }: Pick<Piece, 'dims' | 'slot'>,
  visit: (at: number, length: number, slot: number, stride: number) => void,
): void {
  const box = joined(dims);
  const { count, to } = box.pop() ?? { count: 1, to: 0 };
  let at = 0;
  const walk = (depth: number, first: number): void => {
    const dim = box[depth];
    if (dim === undefined) {
      visit(at, count, first, to);
      at += count;
      return;
    }
    for (let i = 0; i < dim.count; i++) walk(depth + 1, first + i * dim.to);
  };
  walk(0, slot);
}

/** Neighbouring dimensions that are both reduced, or both kept, as one. */
function joined(dims: readonly RunDim[]): RunDim[] {
  const box: RunDim[] = [];
  for (const { count, to } of dims) {
    if (count === 1) continue;
    const outer = box.at(-1);
    if (outer !== undefined && outer.to === to * count)
      box[box.length - 1] = { count: outer.count * count, to };
    else box.push({ count, to });
  }
  return box;
}

/** Counts the values of a piece. */
export function addCounts(count: Float64Array, { present, ...piece }: Piece): void {
  forEachRow(piece, (at, length, slot, stride) => {
    if (present === undefined) {
      if (stride === 0) count[slot] = (count[slot] ?? 0) + length;
      else for (let i = 0; i < length; i++) count[slot + i * stride] = (count[slot + i * stride] ?? 0) + 1;
      return;
    }
    for (let i = 0; i < length; i++)
      count[slot + i * stride] = (count[slot + i * stride] ?? 0) + (present[at + i] ?? 0);
  });
}
