/**
 * Elements of variable length as offsets and bytes (the layout of Arrow's list views): element i is
 * `bytes[starts[i], starts[i] + lengths[i])`. Elements may share bytes and be in any order, so that repeating
 * or selecting elements copies no contents. The meaning of an element's bytes depends on its data type
 * (`dtype/item-values.ts`).
 */
import { assertInside } from './bounds.js';
import { LimitError } from '../errors.js';
import { ByteSink } from './byte-sink.js';
import { copyStrided, type CopyDim } from './strided-copy.js';

export interface Items {
  readonly starts: Uint32Array;
  /** Length of each element; `MISSING` for null. */
  readonly lengths: Uint32Array;
  readonly bytes: Uint8Array;
}

export const MISSING = 0xffffffff;

/** Mutable items. */
export class ItemStore implements Items {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly #sink = new ByteSink();
  readonly #maxContents: number;
  #contents = 0;

  /**
   * @param count number of elements, all empty initially
   * @param maxContents maximum total size of all elements; shared bytes count for each element
   */
  constructor(count: number, maxContents = Infinity) {
    this.starts = new Uint32Array(count);
    this.lengths = new Uint32Array(count);
    this.#maxContents = maxContents;
  }

  get bytes(): Uint8Array {
    return this.#sink.bytes;
  }

  /** Sets an element to new bytes, or to null. */
  set(i: number, contents: Uint8Array | null): void {
    if (contents === null) this.refer(i, 0, MISSING);
    else this.refer(i, this.append(contents, 0, contents.length), contents.length);
  }

  /** Appends bytes that elements can refer to. @returns the position of the bytes */
  append(from: Uint8Array, start: number, end: number): number {
    if (end - start > this.#maxContents) this.#charge(end - start);
    return this.#sink.append(from, start, end);
  }

  /**
   * Sets an element to bytes that were appended before.
   * @throws LimitError if the contents exceed the maximum
   */
  refer(i: number, start: number, length: number): void {
    if (length !== MISSING) this.#charge(length);
    this.starts[i] = start;
    this.lengths[i] = length;
  }

  /**
   * Repeats element `from` in the `count` elements that start at `to`. Copies no bytes.
   * @throws LimitError if the contents exceed the maximum
   */
  repeat(from: number, to: number, count: number): void {
    const [start, length] = [this.starts[from], this.lengths[from]];
    if (length !== MISSING) this.#charge(length * count);
    this.starts.fill(start, to, to + count);
    this.lengths.fill(length, to, to + count);
  }

  #charge(length: number): void {
    this.#contents += length;
    if (this.#contents > this.#maxContents) throw tooLong(this.#maxContents, this.#contents);
  }
}

function tooLong(allowed: number, needed: number): LimitError {
  return new LimitError(
    `the selected values of variable length exceed the ${allowed} bytes left of maxOutputBytes; select fewer elements`,
    { excess: [{ limit: 'maxOutputBytes', allowed, needed }] },
  );
}

/** Total size of all elements; shared bytes count for each element. */
export function contentBytes({ lengths }: Items): number {
  let sum = 0;
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i];
    if (length !== MISSING) sum += length;
  }
  return sum;
}

/** The bytes of one element as a view; null for a missing element. */
export function contentsAt({ starts, lengths, bytes }: Items, i: number): Uint8Array | null {
  const [start, length] = [starts[i], lengths[i]];
  return length === MISSING ? null : bytes.subarray(start, start + length);
}

/** Extracts elements `from` (inclusive) to `to` (exclusive), without a copy. */
export function sliceItems({ starts, lengths, bytes }: Items, from: number, to: number): Items {
  return { starts: starts.subarray(from, to), lengths: lengths.subarray(from, to), bytes };
}

/** Reorders elements without copying their bytes. @param dims dimensions, with strides in elements */
export function reorderItems({ starts, lengths, bytes }: Items, dims: readonly CopyDim[]): Items {
  const scaled = dims.map((dim) => ({ count: dim.count, from: dim.from * 4, to: dim.to * 4 }));
  const moved = (words: Uint32Array): Uint32Array => {
    const result = new Uint32Array(words.length);
    const from = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    copyStrided(from, 0, new Uint8Array(result.buffer), 0, scaled, 4);
    return result;
  };
  return { starts: moved(starts), lengths: moved(lengths), bytes };
}

/** Whether two runs of elements have the same bytes. */
export function sameItems(a: Items, b: Items): boolean {
  if (a.lengths.length !== b.lengths.length) return false;
  for (let i = 0; i < a.lengths.length; i++) {
    const length = a.lengths[i];
    if (length !== b.lengths[i]) return false;
    if (length !== MISSING && !sameByteRanges(a.bytes, a.starts[i], b.bytes, b.starts[i], length))
      return false;
  }
  return true;
}

export function sameByteRanges(
  a: Uint8Array,
  aStart: number,
  b: Uint8Array,
  bStart: number,
  length: number,
): boolean {
  if (a === b && aStart === bStart) return true;
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}

/**
 * Copies like `copyStrided`, for elements of variable length. Strides and offsets are in elements. Contents
 * are appended to the destination, only once for a repeated element.
 */
export function copyItems(
  source: Items,
  sourceStart: number,
  dest: ItemStore,
  destStart: number,
  dims: readonly CopyDim[],
): void {
  if (dims.some((dim) => dim.count === 0)) return;
  assertInside(dims, 'from', sourceStart, 1, source.lengths.length);
  assertInside(dims, 'to', destStart, 1, dest.lengths.length);
  copyDims(source, sourceStart, dest, destStart, dims, 0);
}

function copyDims(
  source: Items,
  from: number,
  dest: ItemStore,
  to: number,
  dims: readonly CopyDim[],
  depth: number,
): void {
  const dim = dims[depth];
  if (dim === undefined) {
    const [start, length] = [source.starts[from], source.lengths[from]];
    const shared = length === MISSING ? 0 : dest.append(source.bytes, start, start + length);
    dest.refer(to, shared, length);
    return;
  }
  const isRepeated = dim.from === 0 && dim.fromAt === undefined;
  if (isRepeated && depth === dims.length - 1 && dim.to === 1 && dim.toAt === undefined) {
    copyDims(source, from, dest, to, dims, depth + 1);
    dest.repeat(to, to + 1, dim.count - 1);
    return;
  }
  for (let i = 0; i < dim.count; i++) {
    const target = to + (dim.toAt?.[i] ?? i * dim.to);
    if (isRepeated && i > 0) shareDims(dest, to + (dim.toAt?.[0] ?? 0), target, dims, depth + 1);
    else copyDims(source, from + (dim.fromAt?.[i] ?? i * dim.from), dest, target, dims, depth + 1);
  }
}

/** Repeats a box of elements within the destination. */
function shareDims(dest: ItemStore, from: number, to: number, dims: readonly CopyDim[], depth: number): void {
  const dim = dims[depth];
  if (dim === undefined) {
    dest.refer(to, dest.starts[from], dest.lengths[from]);
    return;
  }
  for (let i = 0; i < dim.count; i++) {
    const step = dim.toAt?.[i] ?? i * dim.to;
    shareDims(dest, from + step, to + step, dims, depth + 1);
  }
}
