/**
 * Mean, what it lacks by rounding, and the sum of squared deviations: by two passes over each piece, and Chan's formula
 * for two of them. A mean in one float64 would cost the variance of large numbers that differ little its digits.
 */
import { addCounts, forEachRow, type Kernel, type Piece, type ReduceState } from './state.js';

export const moments: Kernel = {
  initial: () => [0, 0, 0],
  add(state, piece) {
    const own = momentsOf(piece);
    for (let i = 0; i < own.count.length; i++) mergeSlot(state, piece.slot + i, own, i);
  },
  repeated: ([value = NaN]) => [value, 0, (value - value) ** 2],
  merge: mergeSlot,
};

function mergeSlot(into: ReduceState, i: number, from: ReduceState, j: number): void {
  const added = from.count[j] ?? 0;
  if (added === 0) return;
  const [mean, lack, squares] = arraysOf(into);
  const [otherMean, otherLack, otherSquares] = arraysOf(from);
  const had = into.count[i] ?? 0;
  if (had === 0) {
    mean[i] = otherMean[j] ?? 0;
    lack[i] = otherLack[j] ?? 0;
    squares[i] = otherSquares[j] ?? 0;
    return;
  }
  const total = had + added;
  const old = mean[i] ?? 0;
  const distance = (otherMean[j] ?? 0) - old + ((otherLack[j] ?? 0) - (lack[i] ?? 0));
  const step = distance * (added / total);
  const next = old + step;
  const part = next - old;
  mean[i] = next;
  lack[i] = (lack[i] ?? 0) + (old - (next - part) + (step - part));
  squares[i] = (squares[i] ?? 0) + (otherSquares[j] ?? 0) + distance * distance * ((had / total) * added);
}

function arraysOf({ values }: ReduceState): readonly [Float64Array, Float64Array, Float64Array] {
  const [mean, lack, squares] = values;
  if (mean === undefined || lack === undefined || squares === undefined)
    throw new TypeError('the state has no moments');
  return [mean, lack, squares];
}

/** The slots of a piece lie one behind the other. */
function momentsOf(piece: Piece): ReduceState {
  const slots = piece.dims.reduce((product, { count, to }) => (to === 0 ? product : product * count), 1);
  const [count, mean, squares] = [0, 0, 0].map(() => new Float64Array(slots));
  const [plane] = piece.planes;
  if (count === undefined || mean === undefined || squares === undefined || plane === undefined)
    throw new TypeError('the piece has no values');
  const own = { ...piece, slot: 0 };
  addCounts(count, own);
  const { present } = piece;
  const rest = new Float64Array(slots);
  forEachRow(own, (at, length, slot, stride) => {
    for (let i = 0, s = slot; i < length; i++, s += stride) mean[s] = (mean[s] ?? 0) + (plane[at + i] ?? 0);
  });
  for (let s = 0; s < slots; s++) mean[s] = (mean[s] ?? 0) / Math.max(1, count[s] ?? 0);
  forEachRow(own, (at, length, slot, stride) => {
    for (let i = 0, s = slot; i < length; i++, s += stride) {
      if (present !== undefined && present[at + i] === 0) continue;
      const deviation = (plane[at + i] ?? 0) - (mean[s] ?? 0);
      squares[s] = (squares[s] ?? 0) + deviation * deviation;
      rest[s] = (rest[s] ?? 0) + deviation;
    }
  });
  // Deviations from a mean that is rounded do not sum up to 0.
  for (let s = 0; s < slots; s++) {
    const [sum, n] = [rest[s] ?? 0, Math.max(1, count[s] ?? 0)];
    squares[s] = Math.max(0, (squares[s] ?? 0) - (sum * sum) / n);
    rest[s] = sum / n;
  }
  return { count, values: [mean, rest, squares] };
}
