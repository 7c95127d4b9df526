/** Merges the label orders of a coordinate's chunks, in the order of positions. */
import type { Fold, Total } from './fold.js';
import type { Key } from '../line/bins.js';
import type { LabelFault, LabelOrder, LabelOrderSpec } from '../line/label-order.js';

/** Equally spaced labels: label i is `first + i * step`. */
export interface RegularLabels {
  readonly first: Key;
  readonly step: Key;
}

export interface LabelOrderTotal {
  readonly fault: LabelFault | undefined;
  /** The first position of each bin; the last entry is the end of the range. */
  readonly starts: Float64Array;
  /** The spacing of the labels. Set for equally spaced integers and dates. */
  readonly regular: RegularLabels | undefined;
}

/** A fold for one-dimensional slices whose chunks have ascending positions. */
export function labelOrderFold(spec: LabelOrderSpec): Fold<LabelOrderTotal> {
  const bytes = (spec.count + 1) * 8;
  return {
    reducer: { kind: 'labelOrder', ...spec },
    maps: [{ kind: 'all' }],
    totalBytes: bytes,
    slotBytes: bytes,
    createTotal: () => createTotal(spec),
  };
}

function createTotal({ count, isDescending }: LabelOrderSpec): Total<LabelOrderTotal> {
  const starts = new Float64Array(count + 1);
  let fault: LabelFault | undefined;
  let size = 0;
  /** Number of bins whose starts have been found. */
  let known = 0;
  let first: Key | undefined;
  let last: Key | undefined;
  /** Difference of neighbouring labels. Undefined with fewer than two labels; null for irregular labels. */
  let step: Key | undefined | null;
  const addStep = (other: Key | undefined | null): void => {
    step = step === undefined || step === other ? other : null;
  };
  return {
    *add(partial) {
      if (!isLabelOrder(partial))
        throw new TypeError('a decoding thread returned an invalid order of labels');
      if (fault !== undefined) return;
      fault = partial.fault;
      if (partial.fault !== undefined || partial.count === 0) return;
      if (last !== undefined) {
        if (isDescending ? partial.first > last : partial.first < last) {
          fault = 'unsorted';
          return;
        }
        addStep(difference(partial.first, last));
      }
      if (partial.count > 1) addStep(partial.step ?? null);
      first ??= partial.first;
      ({ last } = partial);
      for (; known <= count; known++) {
        const start = known < partial.known ? 0 : partial.starts[known - partial.known];
        if (start === undefined) break;
        starts[known] = size + start;
      }
      size += partial.count;
      yield;
    },
    finish() {
      const regular =
        first === undefined || step === undefined || step === null ? undefined : { first, step };
      return { fault, starts: starts.fill(size, known), regular };
    },
  };
}

/** The difference of two labels. Null for numbers that are not safe integers, because sums may be rounded. */
function difference(a: Key, b: Key): Key | null {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a - b;
  const step = Number(a) - Number(b);
  return [a, b, step].every(Number.isSafeInteger) ? step : null;
}

/** The partial result is trusted, because this program computed it. */
function isLabelOrder(value: unknown): value is LabelOrder {
  return typeof value === 'object' && value !== null && 'fault' in value;
}
