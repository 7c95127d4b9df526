/** Applies masks, weights and offsets to the elements of a piece. */
import { firstIndexWhere } from '../core/bytes/search.js';
import { sizeOf, stridesAlong, stridesOf } from '../core/bytes/shape.js';
import type { Run } from '../format/plan/parts.js';
import type { RunDim } from './elements.js';
import { positionOf } from './axis-map.js';
import type { AxisNumbers, CellMask, GroupOffsets } from './cells.js';

/**
 * A box of elements of a task, consecutive along each axis, in C order, and the positions of all elements of
 * the task.
 */
export interface ElementBox {
  readonly dims: readonly RunDim[];
  readonly runs: readonly Run[];
}

/**
 * Marks the elements that are masked.
 * @param mask mask of the task; see `cellsOfTask`
 * @param mark called with ranges of elements of the box
 * @returns whether any element is masked
 */
export function forEachOutside(
  mask: CellMask,
  { dims, runs }: ElementBox,
  mark: (from: number, to: number) => void,
): boolean {
  const rows = dimOf(dims, mask.row);
  const columns = dimOf(dims, mask.column);
  const run = mask.column === undefined ? point : (runs[mask.column] ?? point);
  const table = new Uint8Array(rows.count * columns.count);
  let outside = 0;
  for (let r = 0; r < rows.count; r++)
    outside += markRow(mask, rows.start + r, run, columns, table.subarray(r * columns.count, (r + 1) * columns.count)); // prettier-ignore
  if (outside === 0) return false;
  const strides = dims.map((_, d) => (d === mask.row ? columns.count : 0) + (d === mask.column ? 1 : 0));
  forEachTableRow(dims, strides, 0, (at, length, from, stride) => {
    if (stride === 0) {
      if (table[from] === 1) mark(at, at + length);
      return;
    }
    for (let i = 0; i < length; i++) {
      if (table[from + i * stride] !== 1) continue;
      const first = i++;
      while (i < length && table[from + i * stride] === 1) i++;
      mark(at + first, at + i);
    }
  });
  return true;
}

const point = { start: 0, step: 1, count: 1 };

function dimOf(dims: readonly RunDim[], axis: number | undefined): RunDim {
  return (axis === undefined ? undefined : dims[axis]) ?? { start: 0, count: 1 };
}

/**
 * @param outside one number per column, set to 1 for masked columns
 * @returns the number of masked columns
 */
function markRow(
  { starts, runs }: CellMask,
  row: number,
  run: Run,
  { start, count }: RunDim,
  outside: Uint8Array,
): number {
  const [first, last] = [starts[row], starts[row + 1]];
  if (first === last) {
    outside.fill(1);
    return count;
  }
  let left = count;
  if ('at' in run || run.step !== 1) {
    for (let c = 0; c < count; c++) {
      if (isInRuns(runs, first, last, positionOf(run, start + c))) left--;
      else outside[c] = 1;
    }
    return left;
  }
  outside.fill(1);
  const offset = run.start + start;
  for (let k = runAfter(runs, first, last, offset); k < last; k++) {
    const from = Math.max(0, runs[2 * k] - offset);
    if (from >= count) break;
    const to = Math.min(count, runs[2 * k + 1] - offset);
    outside.fill(0, from, to);
    left -= to - from;
  }
  return left;
}

function isInRuns(runs: Float64Array, first: number, last: number, position: number): boolean {
  const k = runAfter(runs, first, last, position);
  return k < last && runs[2 * k] <= position;
}

/** The first run that ends after a position, or `last`. */
function runAfter(runs: Float64Array, first: number, last: number, position: number): number {
  return firstIndexWhere(first, last, (k) => runs[2 * k + 1] > position);
}

let product = new Float64Array(0);
let factor = new Float64Array(0);

/**
 * The weight of each element. The array may be longer than the box, and is valid until the next call.
 * @param weights weights of the task
 */
export function weightsOf(weights: readonly AxisNumbers[], { dims }: ElementBox): Float64Array {
  const count = sizeOf(dims.map((dim) => dim.count));
  if (product.length < count) [product, factor] = [new Float64Array(count), new Float64Array(count)];
  if (weights.length === 0) product.fill(1, 0, count);
  weights.forEach((weight, w) => {
    expand(weight, dims, w === 0 ? product : factor);
    if (w > 0) for (let i = 0; i < count; i++) product[i] = product[i] * factor[i];
  });
  return product;
}

function expand({ axes, lengths, numbers }: AxisNumbers, dims: readonly RunDim[], into: Float64Array): void {
  const strides = stridesAlong(axes, stridesOf(lengths), dims.length);
  const first = dims.reduce((sum, { start }, d) => sum + start * strides[d], 0);
  forEachTableRow(dims, strides, first, (at, length, from, stride) => {
    if (stride === 0) into.fill(numbers[from], at, at + length);
    else if (stride === 1) into.set(numbers.subarray(from, from + length), at);
    else for (let i = 0; i < length; i++) into[at + i] = numbers[from + i * stride];
  });
}

/**
 * Subtracts the numbers from the elements.
 * @param offsets offsets of the task; see `cellsOfTask`
 * @returns whether an element is missing
 */
export function subtractOffsets(
  plane: Float64Array,
  { axis, of, numbers: { axes, lengths, numbers }, isSingle }: GroupOffsets,
  { dims }: ElementBox,
): boolean {
  const strides = stridesAlong(axes, stridesOf(lengths), dims.length);
  const inner = dims.slice(axis + 1);
  const innerStrides = strides.slice(axis + 1);
  const innerCount = sizeOf(inner.map((dim) => dim.count));
  let at = 0;
  let hasMissing = false;
  const walk = (depth: number, from: number): void => {
    const [{ start, count }, stride] = [dims[depth], strides[depth]];
    for (let i = start; i < start + count; i++) {
      const index = depth === axis ? (of[i] ?? -1) : i;
      if (depth < axis) walk(depth + 1, from + index * stride);
      else if (index < 0) {
        plane.fill(NaN, at, at + innerCount);
        hasMissing = true;
        at += innerCount;
      } else {
        const row = plane.subarray(at, at + innerCount);
        if (subtractRows(row, inner, innerStrides, from + index * stride, numbers, isSingle)) hasMissing = true;
        at += innerCount;
      }
    }
  }; // prettier-ignore
  walk(0, 0);
  return hasMissing;
}

function subtractRows(
  values: Float64Array,
  dims: readonly RunDim[],
  strides: readonly number[],
  origin: number,
  numbers: Float64Array,
  isSingle: boolean,
): boolean {
  const first = dims.reduce((sum, { start }, d) => sum + start * strides[d], origin);
  let hasMissing = false;
  forEachTableRow(dims, strides, first, (at, length, from, stride) => {
    const row = values.subarray(at, at + length);
    const isMissing = isSingle
      ? subtractSingles(row, numbers, from, stride)
      : subtractRow(row, numbers, from, stride);
    if (isMissing) hasMissing = true;
  });
  return hasMissing;
}

function subtractRow(row: Float64Array, numbers: Float64Array, from: number, stride: number): boolean {
  let hasMissing = false;
  for (let i = 0, k = from; i < row.length; i++, k += stride) {
    const value = row[i] - numbers[k];
    row[i] = value;
    if (value !== value) hasMissing = true;
  }
  return hasMissing;
}

function subtractSingles(row: Float64Array, numbers: Float64Array, from: number, stride: number): boolean {
  let hasMissing = false;
  for (let i = 0, k = from; i < row.length; i++, k += stride) {
    const value = Math.fround(row[i] - numbers[k]);
    row[i] = value;
    if (value !== value) hasMissing = true;
  }
  return hasMissing;
}

/**
 * Visits a box in C order by row; the table index advances by a constant stride within each row.
 * @param first table index of the first element
 */
function forEachTableRow(
  dims: readonly RunDim[],
  strides: readonly number[],
  first: number,
  visit: (at: number, length: number, from: number, stride: number) => void,
): void {
  // Merges trailing axes into one row while the index advances by the same stride across them.
  let last = dims.length - 1;
  let [length, stride] = last < 0 ? [1, 0] : [dims[last].count, strides[last]];
  while (last > 0 && (length === 1 || stride * length === strides[last - 1])) {
    last--;
    if (length === 1) stride = strides[last];
    length *= dims[last].count;
  }
  let at = 0;
  const walk = (depth: number, from: number): void => {
    if (depth >= last) {
      visit(at, length, from, stride);
      at += length;
      return;
    }
    for (let i = 0; i < dims[depth].count; i++) walk(depth + 1, from + i * strides[depth]);
  };
  walk(0, first);
}
