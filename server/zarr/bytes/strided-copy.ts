/**
 * Copies a box of elements between two strided layouts. Used to place chunks in a result, fill in fill values
 * (a source stride of 0), transpose, and gather lists and points.
 */
import { kernelOf, longRows, rows64, unalignedRows } from './copy-kernels.js';

/** One dimension of the box: byte strides, or `count` explicit byte offsets. */
export interface CopyDim {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly fromAt?: Float64Array;
  readonly toAt?: Float64Array;
}

interface Strided {
  count: number;
  from: number;
  to: number;
}

/** Minimum bytes of a row for the engine's memory copy; a loop copies shorter rows (measured on Node 20). */
const LONG_ROW_BYTES = 2048;
/** Minimum bytes of a row that is not aligned to 8 bytes, which a loop copies more slowly. */
const LONG_UNALIGNED_ROW_BYTES = 256;
/** Minimum bytes of a row; shorter rows are copied by element. */
const MIN_UNALIGNED_ROW_BYTES = 8;

/**
 * @param source, dest bytes; a position is `start + sum(index * stride)`
 * @param itemSize bytes per element
 */
export function copyStrided(
  source: Uint8Array,
  sourceStart: number,
  dest: Uint8Array,
  destStart: number,
  dims: readonly CopyDim[],
  itemSize: number,
): void {
  if (itemSize === 0 || dims.some((dim) => dim.count === 0)) return;
  const lists = dims.filter((dim) => dim.fromAt !== undefined || dim.toAt !== undefined);
  const box = simplify(dims, itemSize);
  const copy = planBox(source, sourceStart, dest, destStart, box, itemSize, lists);
  if (lists.length === 0) copy(sourceStart, destStart);
  else overLists(lists, 0, sourceStart, destStart, copy);
}

function overLists(
  lists: readonly CopyDim[],
  depth: number,
  from: number,
  to: number,
  copy: (from: number, to: number) => void,
): void {
  const dim = lists[depth];
  if (dim === undefined) return copy(from, to);
  for (let i = 0; i < dim.count; i++) {
    overLists(
      lists,
      depth + 1,
      from + (dim.fromAt?.[i] ?? i * dim.from),
      to + (dim.toAt?.[i] ?? i * dim.to),
      copy,
    );
  }
}

/** Drops dimensions of length 1, and merges neighbours that are contiguous on both sides. */
function simplify(dims: readonly CopyDim[], itemSize: number): Strided[] {
  const box: Strided[] = [];
  for (const dim of dims) {
    if (dim.count === 1 || dim.fromAt !== undefined || dim.toAt !== undefined) continue;
    box.push({ count: dim.count, from: dim.from, to: dim.to });
  }
  for (let i = box.length - 2; i >= 0; i--) {
    const outer = box[i];
    const inner = box[i + 1];
    if (outer === undefined || inner === undefined) continue;
    if (outer.from === inner.from * inner.count && outer.to === inner.to * inner.count) {
      box.splice(i, 2, { count: outer.count * inner.count, from: inner.from, to: inner.to });
    }
  }
  return box.length === 0 ? [{ count: 1, from: itemSize, to: itemSize }] : box;
}

function planBox(
  source: Uint8Array,
  sourceStart: number,
  dest: Uint8Array,
  destStart: number,
  box: Strided[],
  itemSize: number,
  lists: readonly CopyDim[],
): (from: number, to: number) => void {
  const last = box[box.length - 1];
  if (last === undefined) return () => undefined;
  const contiguous = last.from === itemSize && last.to === itemSize;
  const rowBytes = contiguous ? last.count * itemSize : itemSize;
  // A row is one element (such as a struct), or a whole run if both sides are contiguous.
  const outerDims = contiguous ? box.slice(0, -1) : box;
  const strides = outerDims.flatMap((dim) => [dim.from, dim.to]);
  for (const dim of lists)
    strides.push(dim.fromAt === undefined ? dim.from : 0, dim.toAt === undefined ? dim.to : 0);
  const offsets = lists.flatMap((dim) => [dim.fromAt, dim.toAt]).filter((list) => list !== undefined);
  const unit = unitOf(
    [rowBytes, source.byteOffset, sourceStart, dest.byteOffset, destStart, ...strides],
    offsets,
  );
  const row: Strided = { count: rowBytes / unit, from: unit, to: unit };
  const middle = outerDims[outerDims.length - 1] ?? { count: 1, from: 0, to: 0 };
  const rest = outerDims.slice(0, -1);
  let kernel = kernelOf[unit];
  let units: number = unit;
  let [mid, inner] = [middle, row];
  if (rowBytes >= (unit === 8 ? LONG_ROW_BYTES : LONG_UNALIGNED_ROW_BYTES)) {
    [kernel, units, inner] = [longRows, 1, { count: rowBytes, from: 1, to: 1 }];
  } else if (unit < 8 && rowBytes > unit && rowBytes >= MIN_UNALIGNED_ROW_BYTES) {
    [kernel, units, inner] = [unalignedRows, 1, { count: rowBytes, from: 1, to: 1 }];
  } else if (unit === 8 && rowBytes % 64 === 0) {
    kernel = rows64;
  } else if (row.count === 1 && rest.length > 0) {
    // For single units, the two innermost dimensions of the box are the kernel's two loops.
    [mid, inner] = [rest.pop() ?? middle, middle];
  } else if (row.count === 1) {
    [mid, inner] = [{ count: 1, from: 0, to: 0 }, middle];
  }
  const copy = kernel(source, dest);
  const run = (from: number, to: number): void =>
    copy(
      from / units,
      to / units,
      mid.count,
      mid.from / units,
      mid.to / units,
      inner.count,
      inner.from / units,
      inner.to / units,
    );
  return rest.length === 0 ? run : (from, to) => overBox(rest, 0, from, to, run);
}

function overBox(
  dims: readonly Strided[],
  depth: number,
  from: number,
  to: number,
  run: (from: number, to: number) => void,
): void {
  const dim = dims[depth];
  if (dim === undefined) return run(from, to);
  for (let i = 0; i < dim.count; i++) overBox(dims, depth + 1, from + i * dim.from, to + i * dim.to, run);
}

/** The largest unit that divides every length, stride and address. */
function unitOf(numbers: readonly number[], lists: readonly Float64Array[]): 1 | 2 | 4 | 8 {
  for (const unit of [8, 4, 2] as const) {
    const fits = (n: number): boolean => n % unit === 0;
    if (numbers.every(fits) && lists.every((list) => list.every(fits))) return unit;
  }
  return 1;
}
