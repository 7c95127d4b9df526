/**
 * Computes medians and quantiles of absent chunks from a single element, because all elements are equal.
 * Chunks are looked up only if those of the previous part were absent, because a lookup takes a request per
 * object.
 */
import { defined } from '../../../wire/guards.js';
import { indicesOf } from '../../core/bytes/shape.js';
import type { Values } from '../../core/bytes/values.js';
import type { Block } from '../../core/dtype/data-type.js';
import type { Collector } from '../../compute/kernel.js';
import { PIECE, widen, type Widened } from '../../compute/number-planes.js';
import type { DimSelection } from '../../format/selection/selection.js';
import type { LazySlice, SliceReadOptions } from '../lazy-slice.js';
import type { CollectedResults } from './collected-results.js';
import { elementsBetween, type ResultAxis } from './result-axes.js';
import type { MappedPart } from './result-parts.js';

/** A part whose chunks are all absent. */
export interface AbsentPart {
  /** The value of all elements, as a block of one element. */
  readonly absent: Block;
}

/** Records whether all objects that were read since the last call of `wasAbsent` were absent. */
export function watchAbsence(onVersion: NonNullable<SliceReadOptions['onVersion']>): {
  readonly onVersion: NonNullable<SliceReadOptions['onVersion']>;
  wasAbsent(): boolean;
} {
  let [read, present] = [0, 0];
  return {
    onVersion(object, version) {
      read++;
      if (version !== undefined) present++;
      onVersion(object, version);
    },
    wasAbsent() {
      const wasAbsent = read > 0 && present === 0;
      [read, present] = [0, 0];
      return wasAbsent;
    },
  };
}

/** @param isExpectedAbsent whether to look up the chunks first, and to read a single element if all are absent */
export async function readPart(
  slice: LazySlice,
  reading: SliceReadOptions,
  isExpectedAbsent: boolean,
): Promise<Block | AbsentPart> {
  const [stored] = slice.inputs;
  if (!isExpectedAbsent || slice.elements === undefined || stored === undefined) return slice.read(reading);
  const { array } = stored;
  const versions = await stored.objectVersions({ signal: reading.signal });
  const isAbsent = versions !== undefined && [...versions.values()].every((version) => version === undefined);
  if (!isAbsent) return slice.read(reading);
  const store = array.context.store.label;
  for (const key of versions.keys()) reading.onVersion?.({ store, path: array.path, key }, undefined);
  const { out: _, ...options } = reading;
  const first: DimSelection[] = slice.shape.map(() => ({ kind: 'slice', start: 0, stop: 1 }));
  const absent = await slice.select({ kind: 'dims', dims: first }).read(options);
  return isOwnMean(absent) ? { absent } : slice.read(reading);
}

/**
 * Whether the mean of two such elements equals the element. It does not if the element is infinite or the sum
 * overflows.
 */
function isOwnMean(element: Block): boolean {
  const [plane] = widenOne(element).planes;
  return !(Math.abs(defined(plane[0])) > Number.MAX_VALUE / 2);
}

function valuesOf(element: Block): Values {
  return 'bytes' in element ? { bytes: new Uint8Array(element.bytes) } : { items: element.items };
}

function widenOne(element: Block): Widened {
  return widen({ values: valuesOf(element), count: 1 }, element.dtype);
}

/** Computes all results of a part whose elements are all equal. */
export function* collectAbsent(
  collector: Collector,
  block: Block,
  { start, end }: MappedPart,
  axes: readonly ResultAxis[],
  results: CollectedResults,
): Generator<void> {
  collector.begin(1);
  collector.add(widenOne(block), 1, valuesOf(block));
  const isPresent = collector.present > 0;
  const collected = isPresent ? collector.results() : [];
  let count = 0;
  for (const offset of indicesOf(start.map((first, i) => defined(end[i]) - first))) {
    const index = start.map((first, i) => first + defined(offset[i]));
    let kept = 0;
    const elements = axes.reduce((product, axis) => {
      if (axis.map.kind === 'all') return product * axis.length;
      const result = defined(index[kept++]);
      return product * elementsBetween(axis, result, result + 1);
    }, 1);
    results.take({ present: isPresent ? elements : 0, results: () => collected }, index, elements);
    if (++count % PIECE === 0) yield;
  }
}
