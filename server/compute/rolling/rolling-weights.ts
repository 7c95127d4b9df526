/** Weighted sums and means of windows, whose weights vary along the rows. */
import { assertLength } from '../../core/bytes/bounds.js';
import { workOf } from '../../format/plan/cost.js';
import { type Rows, rollRows, type WindowKernel, type WindowReduction } from './rolling.js';

/** @param isMean whether sums are divided by the weights of the values, as in xarray's `weighted` */
export function weightedWindows(isMean: boolean): WindowReduction {
  return {
    roll: (rows, windows, put) => rollRows(rows, kernelOf(rows, isMean), windows, put),
    work: () => workOf.windowValue,
  };
}

const empty = new Float64Array(0);

/** The state consists of the number of values, the sum of their products with the weights, and of their weights. */
function kernelOf({ weights = empty, stride, first, end }: Rows, isMean: boolean): WindowKernel {
  assertLength(weights, end - first, 'the list of weights');
  return {
    initial: [0, 0, 0],
    add([count = empty, sum = empty, total = empty], from, to, values, at, columns) {
      const weight = weights[Math.floor(at / stride)];
      for (let c = 0; c < columns; c++) {
        const value = values[at + c];
        const isValue = value === value;
        count[to + c] = count[from + c] + (isValue ? 1 : 0);
        sum[to + c] = sum[from + c] + (isValue ? weight * value : 0);
        total[to + c] = total[from + c] + (isValue ? weight : 0);
      }
    },
    finish([m = empty, a = empty, p = empty], [n = empty, b = empty, q = empty], { minCount: least }, results) {
      for (let c = 0; c < results.length; c++) {
        const sum = a[c] + b[c];
        const weight = p[c] + q[c];
        results[c] = m[c] + n[c] < least || (isMean && weight === 0) ? NaN : isMean ? sum / weight : sum;
      }
    },
  };
} // prettier-ignore
