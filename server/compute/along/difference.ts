/** Differences of neighbouring values. */
import { integerRange, isIntegerName, isTimeName, NAT } from '../../../wire/data-types.js';
import { type DataType, numberType, timeType, isTime } from '../../core/dtype/data-type.js';
import { UnsupportedError } from '../../core/errors.js';
import { type AlongKernel, type AlongRun, assertAlong, isPlain, VALUES_PER_STEP } from './along.js';

/** @param order how often differences are taken. The first results, which lack neighbours, have no meaning */
export function differenceKernel(order: number, source: DataType): AlongKernel {
  assertAlong(source, 'difference');
  const isExact = isIntegerName(source.name) || source.name === 'bool';
  const dtype = isExact ? numberType('int64') : isTime(source) ? timeType('numpy.timedelta64', source.unit, source.scale) : source; // prettier-ignore
  const isPlainResult = isPlain(dtype);
  return {
    dtype,
    reach: (from, to) => [Math.max(0, from - order), to],
    work: order * (isPlainResult ? 5 : 100),
    start: (columns) => (isPlainResult ? floatDifferences(order, columns) : wideDifferences(order, columns, source)), // prettier-ignore
  };
}

function floatDifferences(order: number, columns: number): AlongRun {
  return function* ({ values, first, stop }, { values: out, from, to }) {
    if (!(values instanceof Float64Array) || !(out instanceof Float64Array))
      throw new TypeError('the numbers of this type are floats');
    const rows = values.slice();
    for (let n = 1; n <= order; n++) {
      let done = 0;
      for (let row = stop - first - 1; row >= n; row--) {
        for (let i = row * columns; i < (row + 1) * columns; i++) rows[i] -= rows[i - columns];
        done += columns;
        if (done < VALUES_PER_STEP) continue;
        done = 0;
        yield;
      }
    }
    out.set(rows.subarray((from - first) * columns, (to - first) * columns));
  };
}

function wideDifferences(order: number, columns: number, source: DataType): AlongRun {
  const [least, most] = integerRange('int64') ?? [0n, 0n];
  const isTimes = isTimeName(source.name);
  const some = new Array<bigint>(order + 1).fill(0n);
  return function* ({ values, first }, { values: out, from, to }) {
    if (out instanceof Float64Array) throw new TypeError('the results are 64-bit integers');
    let done = 0;
    for (let row = Math.max(from, first + order); row < to; row++)
      for (let c = 0; c < columns; c++) {
        let isMissing = false;
        for (let k = 0; k <= order; k++) {
          some[k] = BigInt(values[(row - first - k) * columns + c]);
          isMissing ||= isTimes && some[k] === NAT;
        }
        for (let n = order; n > 0; n--) for (let k = 0; k < n; k++) some[k] -= some[k + 1];
        if (!isMissing && (some[0] < least || some[0] > most))
          throw new UnsupportedError(
            'a difference does not fit in 64 bits; convert the values to floats first, such as with compute',
          );
        out[(row - from) * columns + c] = isMissing ? NAT : some[0];
        done += order;
        if (done < VALUES_PER_STEP / 16) continue;
        done = 0;
        yield;
      }
  };
}
