/**
 * The least element of each slot. Its planes are compared one after another, so that all 64 bits of an integer, or a value
 * and then its position, can decide. Missing elements are infinite in all planes.
 */
import { forEachRow, type Kernel, type ReduceState } from './state.js';

export const least: Kernel = {
  initial: (planes) => new Array<number>(planes).fill(Infinity),
  add({ values }, piece) {
    const [plane, least] = [piece.planes[0], values[0]];
    if (piece.planes.length === 1 && plane !== undefined && least !== undefined) {
      forEachRow(piece, (at, length, slot, stride) => {
        if (stride === 0) least[slot] = leastOf(plane, at, length, least[slot] ?? Infinity);
        else
          for (let i = 0, s = slot; i < length; i++, s += stride) {
            const value = plane[at + i] ?? Infinity;
            if (value < (least[s] ?? Infinity)) least[s] = value;
          }
      });
      return;
    }
    forEachRow(piece, (at, length, slot, stride) => {
      for (let i = 0, s = slot; i < length; i++, s += stride) take(values, s, piece.planes, at + i);
    });
  },
  repeated: (element) => element,
  merge: (into, i, from, j) => take(into.values, i, from.values, j),
};

function leastOf(plane: Float64Array, at: number, length: number, start: number): number {
  let least = start;
  for (let i = at; i < at + length; i++) {
    const value = plane[i] ?? Infinity;
    if (value < least) least = value;
  }
  return least;
}

function take(into: ReduceState['values'], i: number, from: readonly Float64Array[], j: number): void {
  for (let p = 0; p < into.length; p++) {
    const [a, b] = [from[p]?.[j] ?? Infinity, into[p]?.[i] ?? Infinity];
    if (a > b) return;
    if (a < b) break;
  }
  for (let p = 0; p < into.length; p++) {
    const array = into[p];
    if (array !== undefined) array[i] = from[p]?.[j] ?? Infinity;
  }
}
