/**
 * Sums, compensated by the error of every addition, which is exact (Knuth's two-sum): integers of up to 32 bits, and
 * words of longer ones, sum up without loss. Two arrays for each plane: the sum, and what it lacks.
 */
import { forEachRow, type Kernel, type Piece, type ReduceState } from './state.js';

export const sums: Kernel = {
  initial: (planes) => new Array<number>(2 * planes).fill(0),
  add(state, piece) {
    piece.planes.forEach((plane, p) => {
      const [sum, lack] = pairOf(state, p);
      addPlane(plane, piece, sum, lack);
    });
  },
  repeated: (element, times) => element.flatMap((value) => product(value, times)),
  merge(into, i, from, j) {
    for (let p = 0; 2 * p < into.values.length; p++) {
      const [sum, lack] = pairOf(into, p);
      const [otherSum, otherLack] = pairOf(from, p);
      const [a, b] = [sum[i] ?? 0, otherSum[j] ?? 0];
      const total = a + b;
      const part = total - a;
      sum[i] = total;
      lack[i] = (lack[i] ?? 0) + (a - (total - part) + (b - part)) + (otherLack[j] ?? 0);
    }
  },
};

function pairOf({ values }: ReduceState, plane: number): readonly [Float64Array, Float64Array] {
  const [sum, lack] = [values[2 * plane], values[2 * plane + 1]];
  if (sum === undefined || lack === undefined) throw new TypeError(`the state has no plane ${plane}`);
  return [sum, lack];
}

function addPlane(plane: Float64Array, piece: Piece, sum: Float64Array, lack: Float64Array): void {
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) {
      let total = sum[slot] ?? 0;
      let error = lack[slot] ?? 0;
      for (let i = at; i < at + length; i++) {
        const value = plane[i] ?? 0;
        const next = total + value;
        const part = next - total;
        error += total - (next - part) + (value - part);
        total = next;
      }
      sum[slot] = total;
      lack[slot] = error;
      return;
    }
    for (let i = 0, s = slot; i < length; i++, s += stride) {
      const total = sum[s] ?? 0;
      const value = plane[at + i] ?? 0;
      const next = total + value;
      const part = next - total;
      lack[s] = (lack[s] ?? 0) + (total - (next - part) + (value - part));
      sum[s] = next;
    }
  });
}

/** The product, and what it lacks (Dekker). */
function product(a: number, b: number): readonly [number, number] {
  const value = a * b;
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  const lack = aLow * bLow - (value - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return [value, Number.isFinite(lack) ? lack : 0];
}

function split(value: number): readonly [number, number] {
  const scaled = value * 134_217_729;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** The sum of a plane in one slot, rounded once; infinite and NaN where the values are. */
export function sumAt(state: ReduceState, plane: number, slot: number): number {
  const [sum, lack] = pairOf(state, plane);
  const value = sum[slot] ?? 0;
  return Number.isFinite(value) ? value + (lack[slot] ?? 0) : value;
}

/** The sum of integers, exact. */
export function integerSumAt(state: ReduceState, plane: number, slot: number): bigint {
  const [sum, lack] = pairOf(state, plane);
  return BigInt(sum[slot] ?? 0) + BigInt(lack[slot] ?? 0);
}
