/**
 * Counts values in bins of equal width, like NumPy: a bin includes its lower edge; the last bin includes both
 * edges.
 */
import { assertLength } from '../../core/bytes/bounds.js';
import { type PlaneForm, type Planes, WORD } from '../number-planes.js';

export interface BinSpec {
  /** Edges in ascending order, relative to `origin`: one more than bins. */
  readonly edges: Float64Array;
  /** Origin of the edges. Used only for values with two words: 64-bit integers and times. */
  readonly origin: readonly [high: number, low: number];
}

/** The counts of a chunk. Plain data that is transferred between threads. */
export interface BinCounts {
  readonly counts: Float64Array;
  below: number;
  above: number;
}

/** Creates equally spaced edges, like `numpy.linspace`. */
export function equalEdges(first: number, last: number, bins: number): Float64Array {
  const step = (last - first) / bins;
  const edges = Float64Array.from({ length: bins + 1 }, (_, k) =>
    step === 0 ? (k / bins) * (last - first) + first : k * step + first,
  );
  edges[bins] = last;
  return edges;
}

export function createBinCounts({ edges }: BinSpec): BinCounts {
  return { counts: new Float64Array(edges.length - 1), below: 0, above: 0 };
}

/** @param times number of occurrences of each element */
export function countInBins(
  into: BinCounts,
  { edges, origin }: BinSpec,
  form: PlaneForm,
  { first, second }: Planes,
  count: number,
  times = 1,
): void {
  assertLength(first, count, 'the list of values');
  assertLength(edges, into.counts.length + 1, 'the list of edges');
  const { counts } = into;
  const bins = counts.length;
  const [lower, upper] = [edges[0], edges[bins]];
  const [originHigh, originLow] = origin;
  const width = upper - lower;
  let below = 0;
  let above = 0;
  const isWords = form === 'words' && second !== undefined;
  for (let i = 0; i < count; i++) {
    const value = isWords ? (first[i] - originHigh) * WORD + (second[i] - originLow) : first[i];
    if (value < lower) below++;
    else if (value > upper) above++;
    else if (value === value) {
      let bin = (((value - lower) / width) * bins) | 0;
      if (bin >= bins) bin = bins - 1;
      if (value < edges[bin]) bin--;
      else if (value >= (edges[bin + 1] ?? Infinity) && bin < bins - 1) bin++;
      counts[bin] = counts[bin] + times;
    }
  }
  into.below += below * times;
  into.above += above * times;
}

export function mergeBinCounts(into: BinCounts, from: BinCounts): void {
  from.counts.forEach((count, bin) => {
    into.counts[bin] = into.counts[bin] + count;
  });
  into.below += from.below;
  into.above += from.above;
}
