/**
 * Counts pairs of numbers in bins of both, as NumPy's `histogram2d`: a bin includes its lower edge, the last one both
 * edges. Pairs of which one is missing or outside all bins are not counted.
 */
import { assertLength } from '../../core/bytes/bounds.js';
import { firstIndexWhere } from '../../core/bytes/search.js';

export class PairBins {
  /** In C order: cells, bins of the first number, bins of the second one. */
  readonly counts: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;

  /** @param x, y ascending edges, at least two */
  constructor(cells: number, x: Float64Array, y: Float64Array) {
    this.#x = x;
    this.#y = y;
    this.counts = new Float64Array(cells * (x.length - 1) * (y.length - 1));
  }

  /**
   * @param pairs pairs beside each other: x, y, x, y
   * @param cellStep distance between the cells of neighbouring pairs: 0 or 1
   */
  add(pairs: Float64Array, from: number, count: number, cell: number, cellStep: 0 | 1): void {
    assertLength(pairs, 2 * (from + count), 'the list of pairs');
    const [x, y] = [this.#x, this.#y];
    const [columns, rows] = [y.length - 1, x.length - 1];
    const { counts } = this;
    for (let i = 0; i < count; i++) {
      const row = binOf(x, pairs[2 * (from + i)]);
      if (row < 0) continue;
      const column = binOf(y, pairs[2 * (from + i) + 1]);
      if (column < 0) continue;
      const at = ((cell + i * cellStep) * rows + row) * columns + column;
      counts[at] = counts[at] + 1;
    }
  }
}

/** The bin of a value; -1 for missing ones, and those outside. */
function binOf(edges: Float64Array, value: number): number {
  const last = edges.length - 1;
  const [lower, upper] = [edges[0], edges[last]];
  if (!(value >= lower && value <= upper)) return -1;
  if (value === upper) return last - 1;
  // Correct for most values of bins of equal width.
  const guess = Math.min(last - 1, Math.floor(((value - lower) / (upper - lower)) * last));
  if (value >= edges[guess] && value < edges[guess + 1]) return guess;
  return firstIndexWhere(1, last, (i) => edges[i] > value) - 1;
}

/** The smallest and largest numbers of pairs without missing ones. */
export class PairRange {
  /** Smallest and largest first number, smallest and largest second number; infinite without pairs. */
  readonly ends = Float64Array.of(Infinity, -Infinity, Infinity, -Infinity);

  add(pairs: Float64Array, from: number, count: number): void {
    assertLength(pairs, 2 * (from + count), 'the list of pairs');
    let [lowX, highX, lowY, highY] = this.ends;
    for (let i = from; i < from + count; i++) {
      const [x, y] = [pairs[2 * i], pairs[2 * i + 1]];
      if (x !== x || y !== y) continue;
      if (x < lowX) lowX = x;
      if (x > highX) highX = x;
      if (y < lowY) lowY = y;
      if (y > highY) highY = y;
    }
    this.ends.set([lowX, highX, lowY, highY]);
  }
}
