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
    const [rows, columns] = [x.length - 1, y.length - 1];
    const [lowX, highX, lowY, highY] = [x[0], x[rows], y[0], y[columns]];
    const [perX, perY] = [rows / (highX - lowX), columns / (highY - lowY)];
    const { counts } = this;
    const step = cellStep * rows * columns;
    for (let i = 0, p = 2 * from, at = cell * rows * columns; i < count; i++, p += 2, at += step) {
      const valueX = pairs[p];
      const valueY = pairs[p + 1];
      if (!(valueX >= lowX && valueX <= highX && valueY >= lowY && valueY <= highY)) continue;
      // Correct for most values of bins of equal width. Not in a function, which takes twice as long.
      let row = ((valueX - lowX) * perX) | 0;
      if (row >= rows || valueX < x[row] || valueX >= x[row + 1]) row = binOf(x, valueX);
      let column = ((valueY - lowY) * perY) | 0;
      if (column >= columns || valueY < y[column] || valueY >= y[column + 1]) column = binOf(y, valueY);
      const bin = at + row * columns + column;
      counts[bin] = counts[bin] + 1;
    }
  }
}

/** The bin of a value between the first and the last edge. */
function binOf(edges: Float64Array, value: number): number {
  const last = edges.length - 1;
  return (
    Math.min(
      last,
      firstIndexWhere(1, last + 1, (i) => edges[i] > value),
    ) - 1
  );
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
