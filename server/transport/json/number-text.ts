/**
 * JSON text of runs of numbers. `JSON.stringify` on a plain list is the fastest way to format doubles in
 * JavaScript, but it loses -0 and non-finite values, so runs with any of these are formatted one by one.
 */
import { defined } from '../../../wire/guards.js';
import type { SegmentText } from './list-text.js';

/** How NaN and the infinities are written as JSON: as strings, or as null. */
export type NonFinite = 'STRING' | 'NULL';

/** Writes one double as JSON. */
function floatText(value: number, nonFinite: NonFinite): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  if (nonFinite === 'NULL') return 'null';
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

/** Writes floats, widened to doubles. */
export function floatSegments(data: Float32Array | Float64Array, nonFinite: NonFinite): SegmentText {
  return (from, to) => {
    // Built by push, because `new Array(n)` has holes, which make `JSON.stringify` slower.
    const run: number[] = [];
    let special = false;
    for (let i = from; i < to; i++) {
      const value = defined(data[i]);
      // NaN - NaN and Infinity - Infinity are NaN; 1 / -0 is negative.
      if (value - value !== 0 || (value === 0 && 1 / value < 0)) special = true;
      run.push(value);
    }
    if (special) return run.map((value) => floatText(value, nonFinite)).join(',');
    return JSON.stringify(run).slice(1, -1);
  };
}

type SmallIntegers = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;

export function integerSegments(data: SmallIntegers): SegmentText {
  return (from, to) => {
    const run: number[] = [];
    for (let i = from; i < to; i++) run.push(defined(data[i]));
    return JSON.stringify(run).slice(1, -1);
  };
}

export function boolSegments(data: Uint8Array): SegmentText {
  return (from, to) =>
    Array.from(data.subarray(from, to), (value) => (value === 0 ? 'false' : 'true')).join(',');
}

/** Writes 64-bit integers as decimal strings. */
export function longSegments(data: BigInt64Array | BigUint64Array): SegmentText {
  return (from, to) => (from === to ? '' : `"${data.subarray(from, to).join('","')}"`);
}

/** Writes complex numbers as [real, imaginary] pairs. */
export function complexSegments(data: Float32Array | Float64Array, nonFinite: NonFinite): SegmentText {
  return (from, to) => {
    const pairs = new Array<string>(to - from);
    for (let i = from; i < to; i++) {
      const real = floatText(defined(data[2 * i]), nonFinite);
      pairs[i - from] = `[${real},${floatText(defined(data[2 * i + 1]), nonFinite)}]`;
    }
    return pairs.join(',');
  };
}
