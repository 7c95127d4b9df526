/** Partial results: what one chunk, decoded or not stored, adds to a reduction. Runs in the thread that has decoded it. */
import { sizeOf, stridesOf } from '../../bytes/shape.js';
import type { Values } from '../../bytes/values.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import type { DataType } from '../../dtype/data-type.js';
import { inArrayOrder } from '../../sharding/layout.js';
import { runLength, type Run } from '../parts.js';
import type { ReadTask } from '../plan.js';
import { regionInChunk, type ElementRegion } from '../region.js';
import { elementRuns, type ElementRun } from '../sinks/elements.js';
import { applyTransform } from '../transform/apply-transform.js';
import type { ElementTransform } from '../transform/element-transform.js';
import { kernelOf, needsPositions, prepare, preparedPlanes } from './prepare.js';
import type { ReductionName } from './reduction.js';
import { addCounts, createState, type ReduceState } from './state.js';
import { widen } from './widen.js';

/** What is reduced of a read's chunks; plain data. */
export interface ReduceSpec {
  readonly by: ReductionName;
  readonly skipMissing: boolean;
  /** Of the values that are reduced. */
  readonly dtype: DataType;
  /** What becomes of the stored elements before they are reduced. */
  readonly transform: ElementTransform | undefined;
  /** Bytes of a stored value; null: items. */
  readonly itemSize: number | null;
  /** See `InnerChunkLayout.axes`. */
  readonly axes: readonly number[];
  /** A part of every element, such as a field of a struct: where it lies in the element. */
  readonly part: ElementRegion | undefined;
  /** Of each dimension of a task, then of the part. */
  readonly roles: readonly Role[];
}

export interface Role {
  readonly isKept: boolean;
  /** Distance of positions within what is reduced; 0 where the dimension is kept. */
  readonly positionStride: number;
}

/** What a thread needs to reduce one chunk; plain data. */
export interface ReduceWork {
  readonly spec: ReduceSpec;
  readonly parts: ReadTask['parts'];
}

/** Elements that are reduced at a time: their planes stay in a processor's second cache. */
const PIECE = 8192;

/** Where the elements of a task lie in the selection, by dimension; the part's dimensions are taken whole. */
export function runsOf({ part }: Pick<ReduceSpec, 'part'>, parts: ReadTask['parts']): Run[] {
  const outer: Run[] = 'points' in parts ? [{ at: parts.to }] : parts.map(({ to }) => to);
  return [...outer, ...(part?.dims ?? []).map(({ count }): Run => ({ start: 0, step: 1, count }))];
}

/** How many slots a task has. */
export function slotsOf(spec: ReduceSpec, parts: ReadTask['parts']): number {
  return sizeOf(runsOf(spec, parts).map((run, d) => (spec.roles[d]?.isKept === true ? runLength(run) : 1)));
}

export function initialOf({ by, dtype, skipMissing }: ReduceSpec): readonly number[] {
  return kernelOf(by).initial(preparedPlanes(by, dtype, skipMissing));
}

/** Yields after some 10 to 100 microseconds of work. The result does not depend on where it is made, nor on the chunk's layout. */
export function* partialOf(
  { spec, parts }: ReduceWork,
  { values, strides }: DecodedChunk,
): Generator<void, ReduceState> {
  const { by, dtype, roles, part, itemSize } = spec;
  const kernel = kernelOf(by);
  const region = regionInChunk(parts, inArrayOrder(strides, spec.axes));
  const runs = runsOf(spec, parts);
  const slotStrides = stridesOf(runs.map((run, d) => (roles[d]?.isKept === true ? runLength(run) : 1)));
  const dims = [...region.dims, ...(part?.dims ?? [])].map((dim, d) => ({
    ...dim,
    to: roles[d]?.isKept === true ? (slotStrides[d] ?? 0) : 0,
  }));
  const state = createState(slotsOf(spec, parts), initialOf(spec));
  const from = region.from + (part?.from ?? 0);
  const positions = needsPositions(by) ? createPositions(runs, spec) : undefined;
  for (const run of elementRuns(values, { from, dims }, itemSize, PIECE)) {
    const widened = widen(transformed(run, spec.transform), dtype);
    const { present } = widened;
    const at = positions?.next(run.count) ?? new Float64Array(0);
    const planes = prepare(by, spec.skipMissing, widened, dtype, at);
    const piece = { length: run.count, planes, present, dims: run.dims, slot: run.to };
    kernel.add(state, piece);
    addCounts(state.count, piece);
    yield;
  }
  return state;
}

/** The same for a chunk that is not stored, in closed form: one slot for all. */
export function partialOfFill(spec: ReduceSpec, fill: Values, parts: ReadTask['parts']): ReduceState {
  const { by, dtype } = spec;
  const runs = runsOf(spec, parts);
  const times = sizeOf(runs.map((run, d) => (spec.roles[d]?.isKept === true ? 1 : runLength(run))));
  const { planes, present } = widen({ values: fill, count: 1 }, dtype);
  const isLast = by === 'LAST';
  const at = runs.reduce((sum, run, d) => sum + endOf(run, isLast) * (spec.roles[d]?.positionStride ?? 0), 0);
  const prepared = prepare(by, spec.skipMissing, { planes, present }, dtype, Float64Array.of(at));
  const isPresent = present?.[0] !== 0;
  const element = prepared.map((plane) => plane[0] ?? 0);
  const isEmpty = by === 'STD' || by === 'VAR' ? !isPresent : false;
  const numbers = isEmpty ? initialOf(spec) : kernelOf(by).repeated(element, times);
  return {
    count: Float64Array.of(isPresent ? times : 0),
    values: numbers.map((value) => Float64Array.of(value)),
  };
}

/** First or last position of a run, which ascends. */
function endOf(run: Run, isLast: boolean): number {
  if ('at' in run) return run.at.reduce((a, b) => (isLast ? Math.max(a, b) : Math.min(a, b)), run.at[0] ?? 0);
  return isLast ? run.start + (run.count - 1) * run.step : run.start;
}

let target = new Uint8Array(0);

function transformed(run: ElementRun, transform: ElementTransform | undefined): ElementRun {
  if (transform === undefined || 'items' in run.values) return run;
  const length = run.count * transform.dtype.itemSize;
  if (target.length < length) target = new Uint8Array(length);
  const bytes = target.subarray(0, length);
  applyTransform(transform, run.values.bytes, bytes);
  return { values: { bytes }, count: run.count };
}

/** Positions of elements in C order within what is reduced, some at a time. */
function createPositions(runs: readonly Run[], { roles }: ReduceSpec): { next(count: number): Float64Array } {
  const index = runs.map(() => 0);
  const offset = (d: number): number => {
    const run = runs[d];
    if (run === undefined) return 0;
    const i = index[d] ?? 0;
    return ('at' in run ? (run.at[i] ?? 0) : run.start + i * run.step) * (roles[d]?.positionStride ?? 0);
  };
  const offsets = runs.map((_, d) => offset(d));
  return {
    next(count) {
      const positions = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (const one of offsets) sum += one;
        positions[i] = sum;
        for (let d = runs.length - 1; d >= 0; d--) {
          const run = runs[d];
          index[d] = (index[d] ?? 0) + 1;
          if (run !== undefined && (index[d] ?? 0) >= runLength(run)) index[d] = 0;
          offsets[d] = offset(d);
          if (index[d] !== 0) break;
        }
      }
      return positions;
    },
  };
}
