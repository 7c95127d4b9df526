/**
 * Reductions as data: a reducer is a plain value, which travels to threads; the table below has its functions. A partial
 * result is a plain value, too.
 */
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import type { DataType } from '../../dtype/data-type.js';
import { InputError } from '../../errors.js';
import { inArrayOrder } from '../../sharding/layout.js';
import type { ReadTask } from '../plan.js';
import { regionInChunk, type ElementRegion } from '../region.js';
import { count } from './count.js';
import { elementRuns } from './elements.js';
import type { Reduction } from './reduction.js';

/** Name -> what travels, and what comes out. */
export interface Reductions {
  /** Elements that are not missing: not NaN, NaT or null. */
  count: { partial: number; result: number };
}
export type ReducerName = keyof Reductions;
export type PartialOf<N extends ReducerName> = Reductions[N]['partial'];
export type ResultOf<N extends ReducerName> = Reductions[N]['result'];

export interface Reducer<N extends ReducerName = ReducerName> {
  readonly name: N;
}

const reductions: { readonly [N in ReducerName]: Reduction<PartialOf<N>, ResultOf<N>> } = { count };

/** @throws InputError for a name that is unknown */
export function reductionOf<N extends ReducerName>({
  name,
}: Reducer<N>): Reduction<PartialOf<N>, ResultOf<N>> {
  if (!Object.hasOwn(reductions, name))
    throw new InputError(
      `unknown reduction "${String(name)}"; the reductions are ${Object.keys(reductions).join(', ')}`,
    );
  return reductions[name];
}

/** What is reduced of a read's chunks; plain data. */
export interface ReduceSpec<N extends ReducerName = ReducerName> {
  readonly reducer: Reducer<N>;
  /** Of the values that are reduced. */
  readonly dtype: DataType;
  /** See `InnerChunkLayout.axes`. */
  readonly axes: readonly number[];
  /** A part of every element, such as a field of a struct: where it lies in the element. */
  readonly part?: ElementRegion | undefined;
}

/** What a thread needs to reduce one chunk; plain data. */
export interface ReduceWork {
  readonly spec: ReduceSpec;
  readonly parts: ReadTask['parts'];
}

/**
 * Yields after each few milliseconds of work; the last value is the partial result of all of a task's elements. The result
 * does not depend on where it is made, nor on the layout of the decoded chunk.
 */
export function* partialOf<N extends ReducerName>(
  { reducer, dtype, axes, part }: ReduceSpec<N>,
  { values, strides }: DecodedChunk,
  parts: ReadTask['parts'],
): Generator<PartialOf<N>> {
  const reduction = reductionOf(reducer);
  const region = regionInChunk(parts, inArrayOrder(strides, axes));
  const from = region.from + (part?.from ?? 0);
  const dims = [...region.dims, ...(part?.dims ?? [])];
  let partial: PartialOf<N> | undefined;
  for (const run of elementRuns(values, { from, dims }, dtype.itemSize)) {
    const next = reduction.ofElements(run, dtype);
    partial = partial === undefined ? next : reduction.merge(partial, next);
    yield partial;
  }
}
