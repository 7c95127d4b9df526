/**
 * The location of a task's elements in the decoded chunk and in the result. Pure. Partial reads of uncompressed
 * chunks: only the bytes that a task needs are read.
 */
import { stridesOf } from '../../core/bytes/shape.js';
import type { CopyDim } from '../../core/bytes/strided-copy.js';
import { type ByteSpan, unitOf } from '../../core/bytes/values.js';
import { runLength, type Run } from './parts.js';
import type { ReadPlan, ReadTask } from './plan.js';

/** A task as a copy: start positions on both sides, and dimensions. */
export interface TaskCopy {
  readonly from: number;
  readonly to: number;
  readonly dims: readonly CopyDim[];
}

/**
 * @param chunkStrides strides of the decoded chunk, by the array's dimensions; none if all positions are one element,
 * such as a fill value
 * @param unit length of an element of the result: bytes, or 1 for items
 * @param resultStrides strides of the result if it is not in C order (values to write, broadcast)
 */
export function copyRegion(
  plan: Pick<ReadPlan, 'selection' | 'shape'>,
  task: ReadTask,
  chunkStrides: readonly number[],
  unit: number,
  resultStrides: readonly number[] = stridesOf(plan.shape, unit),
): TaskCopy {
  const { parts } = task;
  if ('points' in parts) {
    const source = regionInChunk(parts, chunkStrides);
    const stride = strideAt(resultStrides, 0);
    const toAt = parts.to.map((p) => p * stride);
    return {
      from: source.from,
      to: 0,
      dims: source.dims.map(({ count, from, fromAt }) => ({ count, from, to: 0, fromAt, toAt })),
    };
  }
  const { selection } = plan;
  let from = 0;
  let to = 0;
  let kept = 0;
  const dims: CopyDim[] = [];
  for (let d = 0; d < parts.length; d++) {
    const part = parts[d];
    if (part === undefined) continue;
    const dropped = selection.kind === 'box' && (selection.dims[d]?.dropped ?? false);
    const fromStride = strideAt(chunkStrides, d);
    const toStride = dropped ? 0 : resultStrides[kept++];
    const { from: source, to: target } = part;
    if ('start' in source) from += source.start * fromStride;
    if ('start' in target) to += target.start * toStride;
    dims.push({
      count: runLength(source),
      from: 'at' in source ? 0 : source.step * fromStride,
      to: 'at' in target ? 0 : target.step * toStride,
      fromAt: 'at' in source ? offsetsOf(source.at, fromStride) : undefined,
      toAt: 'at' in target ? offsetsOf(target.at, toStride) : undefined,
    });
  }
  return { from, to, dims };
}

/** The stride of a dimension; 0 without strides. */
function strideAt(strides: readonly number[], d: number): number {
  return strides.length === 0 ? 0 : strides[d];
}

function offsetsOf(at: Float64Array, stride: number): Float64Array {
  const offsets = new Float64Array(at.length);
  for (let i = 0; i < offsets.length; i++) offsets[i] = at[i] * stride;
  return offsets;
}

/** Location of elements on one side of a copy; in bytes, or in elements for items. */
export interface ElementRegion {
  readonly from: number;
  readonly dims: readonly Pick<CopyDim, 'count' | 'from' | 'fromAt'>[];
}

/** The elements of a task in its chunk. @param chunkStrides strides of the chunk; see `copyRegion` */
export function regionInChunk(parts: ReadTask['parts'], chunkStrides: readonly number[]): ElementRegion {
  if ('points' in parts) {
    const fromAt = new Float64Array(parts.to.length);
    parts.points.forEach((list, d) => {
      const stride = strideAt(chunkStrides, d);
      for (let p = 0; p < fromAt.length; p++) fromAt[p] = fromAt[p] + list[p] * stride;
    });
    return { from: 0, dims: [{ count: fromAt.length, from: 0, fromAt }] };
  }
  let from = 0;
  const dims = parts.map((part, d) => {
    const stride = strideAt(chunkStrides, d);
    const run = part.from;
    if ('at' in run) return { count: run.at.length, from: 0, fromAt: offsetsOf(run.at, stride) };
    from += run.start * stride;
    return { count: run.count, from: run.step * stride, fromAt: undefined };
  });
  return { from, dims };
}

/** Number of elements that a task reads from its chunk. */
export function countElements({ parts }: ReadTask): number {
  if ('points' in parts) return parts.to.length;
  return parts.reduce((product, { from }) => product * runLength(from), 1);
}

/**
 * The part of the decoded chunk that contains all elements of a task; the whole chunk if its codecs cannot decode less.
 * Figures: bench/records.md, "Reads: attempts".
 */
export function neededSpan(plan: Pick<ReadPlan, 'dtype'>, task: ReadTask): ByteSpan {
  const { chain, bytes } = task.form;
  return chain.partialDecode ? spanOf(plan, task) : { start: 0, end: bytes };
}

/** The bytes from the first to the last element of a task in its decoded chunk. */
export function spanOf({ dtype }: Pick<ReadPlan, 'dtype'>, { form, parts }: ReadTask): ByteSpan {
  let start = 0;
  let end = unitOf(dtype.itemSize);
  const lists = 'points' in parts ? parts.points : parts;
  for (let d = 0; d < lists.length; d++) {
    const list = lists[d];
    if (list === undefined) continue;
    const stride = form.strides[d];
    const { least, most } = extremesOf('from' in list ? list.from : { at: list });
    start += least * stride;
    end += most * stride;
  }
  return { start, end };
}

/** The smallest and largest position of a run, which must not be empty. */
function extremesOf(run: Run): { readonly least: number; readonly most: number } {
  if ('at' in run) {
    let [least, most] = [Infinity, 0];
    for (const position of run.at) {
      if (position < least) least = position;
      if (position > most) most = position;
    }
    return { least, most };
  }
  const last = run.start + (run.count - 1) * run.step;
  return { least: Math.min(run.start, last), most: Math.max(run.start, last) };
}

/** A part of a chunk, in bytes. */
export interface ChunkPart {
  readonly offset: number;
  readonly length: number;
}

/** The part of a chunk to read; undefined for the whole chunk. @param maxBytes maximum size of a part */
export function partOf(plan: ReadPlan, task: ReadTask, maxBytes: number): ChunkPart | undefined {
  const { start, end } = spanOf(plan, task);
  const length = end - start;
  return length > maxBytes ? undefined : { offset: start, length };
}

/** Converts a task to positions relative to the start of the part. Strides do not change. */
export function taskOfPart(task: ReadTask): ReadTask {
  const { parts } = task;
  const moved =
    'points' in parts
      ? { ...parts, points: parts.points.map(movedBack) }
      : parts.map((part) => ({
          ...part,
          from:
            'at' in part.from
              ? { at: movedBack(part.from.at) }
              : { ...part.from, start: part.from.start - extremesOf(part.from).least },
        }));
  return { ...task, parts: moved };
}

function movedBack(at: Float64Array): Float64Array {
  const { least } = extremesOf({ at });
  return at.map((i) => i - least);
}
