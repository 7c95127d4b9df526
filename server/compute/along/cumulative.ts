/** Sums, products and extremes of all values up to each position. */
import { integerRange, isIntegerName, isTimeName, NAT } from '../../../wire/data-types.js';
import { reducedName } from '../../../wire/result-types.js';
import { type DataType, numberType } from '../../core/dtype/data-type.js';
import { UnsupportedError } from '../../core/errors.js';
import {
  type AlongKernel,
  type AlongResults,
  type AlongRows,
  type AlongRun,
  assertAlong,
  isPlain,
  VALUES_PER_STEP,
} from './along.js';

export const accumulations = ['SUM', 'PRODUCT', 'MIN', 'MAX'] as const;
export type Accumulation = (typeof accumulations)[number];

/** @throws UnsupportedError for a data type that cannot be accumulated */
export function cumulativeKernel(by: Accumulation, source: DataType, skipMissing: boolean): AlongKernel {
  assertAlong(source, 'cumulative');
  const common = { reach: 'before', work: isPlain(source) ? 10 : 100 } as const;
  if (by === 'MIN' || by === 'MAX') {
    const start = isPlain(source) ? floatExtremes(by, skipMissing) : wideExtremes(by, source, skipMissing);
    return { ...common, dtype: source, start };
  }
  if (isTimeName(source.name))
    throw new UnsupportedError(`cumulative ${by} of type ${source.name} is not supported`);
  const name = reducedName(source.name, 'SUM');
  if (isIntegerName(name)) {
    const start = isPlain(source) && by === 'SUM' ? integerSums(name) : wideTotals(by, name);
    return { ...common, dtype: numberType(name), start, work: by === 'SUM' ? common.work : 150 };
  }
  return { ...common, dtype: source, start: floatTotals(by, skipMissing) };
}

/** Visits rows; yields between some of them. */
function* eachRow(
  { columns, first, stop }: AlongRows,
  { from }: AlongResults,
  visit: (at: number, to: number) => void,
): Generator<void> {
  let done = 0;
  for (let row = 0; row < stop - first; row++) {
    visit(row * columns, (first + row - from) * columns);
    done += columns;
    if (done < VALUES_PER_STEP) continue;
    done = 0;
    yield;
  }
}

function floatTotals(by: 'SUM' | 'PRODUCT', skipMissing: boolean): AlongKernel['start'] {
  const neutral = by === 'SUM' ? 0 : 1;
  return (columns) => {
    const total = new Float64Array(columns).fill(neutral);
    return floatRun((values, at, out, to) => {
      for (let c = 0; c < columns; c++) {
        const given = values[at + c];
        const value = skipMissing && given !== given ? neutral : given;
        total[c] = by === 'SUM' ? total[c] + value : total[c] * value;
        out[to + c] = total[c];
      }
    });
  };
}

function floatExtremes(by: 'MIN' | 'MAX', skipMissing: boolean): AlongKernel['start'] {
  return (columns) => {
    const best = new Float64Array(columns).fill(NaN);
    const isMissing = new Uint8Array(columns);
    return floatRun((values, at, out, to) => {
      for (let c = 0; c < columns; c++) {
        const value = values[at + c];
        if (value !== value) isMissing[c] = skipMissing ? 0 : 1;
        else if (!(by === 'MIN' ? best[c] <= value : best[c] >= value)) best[c] = value;
        out[to + c] = isMissing[c] === 1 ? NaN : best[c];
      }
    });
  };
}

function floatRun(
  visit: (values: Float64Array, at: number, out: Float64Array, to: number) => void,
): AlongRun {
  return function* (rows, results) {
    const { values } = rows;
    const out = results.values;
    if (!(values instanceof Float64Array) || !(out instanceof Float64Array))
      throw new TypeError('the numbers of this type are floats');
    yield* eachRow(rows, results, (at, to) => visit(values, at, out, to));
  };
}

const WORD = 2 ** 32;

/** Exact sums of integers of at most 32 bits, as words: a bigint for each element would be ten times slower. */
function integerSums(name: string): AlongKernel['start'] {
  return (columns) => {
    const [low, high] = [new Float64Array(columns), new Float64Array(columns)];
    const most = name === 'uint64' ? WORD : WORD / 2;
    return function* (rows, results) {
      const { values } = rows;
      if (!(values instanceof Float64Array)) throw new TypeError('the numbers of this type are floats');
      const { buffer, byteOffset, length } = results.values;
      const words = new Int32Array(buffer, byteOffset, 2 * length);
      yield* eachRow(rows, results, (at, to) => {
        for (let c = 0; c < columns; c++) {
          const sum = low[c] + values[at + c];
          const carry = Math.floor(sum / WORD);
          low[c] = sum - carry * WORD;
          high[c] += carry;
          if (high[c] >= most || high[c] < most - WORD) throw overflow('SUM', name);
          words[2 * (to + c)] = low[c];
          words[2 * (to + c) + 1] = high[c];
        }
      });
    };
  };
}

function wideTotals(by: 'SUM' | 'PRODUCT', name: string): AlongKernel['start'] {
  const [least, most] = integerRange(name) ?? [0n, 0n];
  return (columns) => {
    const total = new Array<bigint>(columns).fill(by === 'SUM' ? 0n : 1n);
    return function* (rows, results) {
      const { values } = rows;
      const out = results.values;
      if (out instanceof Float64Array) throw new TypeError('the results are 64-bit integers');
      yield* eachRow(rows, results, (at, to) => {
        for (let c = 0; c < columns; c++) {
          const value = BigInt(values[at + c]);
          const next = by === 'SUM' ? total[c] + value : total[c] * value;
          if (next < least || next > most) throw overflow(by, name);
          total[c] = next;
          out[to + c] = next;
        }
      });
    };
  };
}

function wideExtremes(by: 'MIN' | 'MAX', { name }: DataType, skipMissing: boolean): AlongKernel['start'] {
  const isTime = isTimeName(name);
  return (columns) => {
    const best = new Array<bigint | undefined>(columns).fill(undefined);
    const isMissing = new Uint8Array(columns);
    return function* (rows, results) {
      const { values } = rows;
      const out = results.values;
      if (out instanceof Float64Array || values instanceof Float64Array)
        throw new TypeError('the numbers of this type are 64-bit integers');
      yield* eachRow(rows, results, (at, to) => {
        for (let c = 0; c < columns; c++) {
          const value = values[at + c];
          const known = best[c];
          if (isTime && value === NAT) isMissing[c] = skipMissing ? 0 : 1;
          else if (known === undefined || (by === 'MIN' ? value < known : value > known)) best[c] = value;
          out[to + c] = isMissing[c] === 1 ? NAT : (best[c] ?? NAT);
        }
      });
    };
  };
}

function overflow(by: Accumulation, name: string): UnsupportedError {
  return new UnsupportedError(
    `a cumulative ${by} does not fit in ${name}; convert the values to floats first, such as with compute`,
  );
}
