/** Reduces boxes of combined slices on the threads of the pool, which also read and decode their chunks. */
import { BoxThreads, canReadDirectly } from '#direct-reads';
import { canReduceBoxes, isWorthBoxThreads } from '../../chunks/read/choose.js';
import type { BoxPart, ReducedBox } from '../../chunks/read/box-read.js';
import { maxStoredBytes, planRead, type ReadPlan } from '../../format/plan/plan.js';
import { poolFor } from '../../threads/shared-pool.js';
import type { InnerChunkLayout } from '../../format/plan/layout.js';
import type { BoxWork } from '../fold-slice.js';
import type { SlicedArray, SliceReadOptions, StoredElements } from '../lazy-slice.js';
import { type Box, selectionIn } from '../boxes.js';
import type { CombinedInput, Combination } from './combination.js';

export interface BoxReducer {
  /** Maximum number of boxes that are started and not merged. */
  readonly ahead: number;
  /** @returns undefined if the box must be computed on this thread */
  reduce(box: Box, work: BoxWork): Promise<ReducedBox | undefined>;
}

/** Maximum total size, in bytes, of the boxes in progress if there are more than two. */
const MAX_AHEAD_BYTES = 64 * 2 ** 20;

/**
 * Maximum number of boxes that are in memory at the same time: one in each thread if they fit, or two on this thread.
 * @param boxBytes size of a box with all inputs
 */
export function boxesInMemory(threads: number, boxBytes: number): number {
  return Math.max(2, Math.min(threads, Math.floor(MAX_AHEAD_BYTES / Math.max(1, boxBytes))));
}

/** Maximum number of boxes that threads have started and whose partial results are not merged. */
export function boxesAhead(threads: number, boxBytes: number): number {
  return boxesInMemory(4 * threads, boxBytes);
}

/**
 * @param boxBytes maximum size of a box, with all inputs
 * @param reading options for reading an input
 * @returns undefined if threads cannot or should not compute the boxes, as when the chunks are cached for other reads
 */
export function createBoxReducer(
  inputs: readonly CombinedInput[],
  { program }: Combination,
  boxBytes: number,
  reading: SliceReadOptions,
): BoxReducer | undefined {
  const known = inputs.flatMap(({ slice: { elements } }) => {
    if (elements?.stored.array.layout === undefined) return [];
    return { elements, ...elements.stored.array.source() };
  });
  const [first] = known;
  if (program === undefined || first === undefined || known.length < inputs.length) return undefined;
  if (!canReadDirectly || known.some(({ source }) => source.store.locate === undefined)) return undefined;
  const plans = known.map(({ elements, layout }) => planOf(elements, layout));
  const { decoding } = first.elements.stored.array.context;
  const isPreferred = decoding.pool?.isPreferred === true;
  if (!canReduceBoxes(plans, { keepsChunks: reading.keepChunks === true, isPreferred })) return undefined;
  const decodedBytes = plans.reduce((sum, { cost }) => sum + cost.decodedBytes, 0);
  const pool = poolFor(decoding, first.layout.largest.chain, decodedBytes);
  if (pool === undefined || !isWorthBoxThreads(pool.threads, decoding.here !== false)) return undefined;
  const threads = new BoxThreads(pool, reading.signal);

  function partOf(box: Box, k: number, missing: Set<SlicedArray>): BoxPart {
    const [input, { layout, source } = {}] = [inputs[k], known[k]];
    const elements = input?.slice.select(selectionIn(box, input.axes)).elements;
    if (input === undefined || layout === undefined || source === undefined || elements === undefined)
      throw new TypeError('the part of an input has no stored elements');
    const { array } = elements.stored;
    const { context, path } = array;
    const plan = planOf(elements, layout);
    return {
      plan,
      source,
      axes: input.axes,
      maxBytes: maxStoredBytes(plan, reading.limits ?? context.limits),
      onDecoded: (chunks) => context.metrics?.chunksDecoded(chunks, chunks * plan.cost.chunkBytes),
      onVersion(key, version) {
        if (version === undefined) missing.add(array);
        reading.onVersion?.({ store: context.store.label, path, key }, version);
      },
    };
  }

  return {
    ahead: boxesAhead(pool.threads, boxBytes),
    async reduce(box, { own, form }) {
      const missing = new Set<SlicedArray>();
      try {
        const parts = inputs.map((_, k) => partOf(box, k, missing));
        const reduced = await threads.reduce(parts, { shape: box.shape, program, form, axes: own });
        for (const array of missing) await array.confirmMissing?.(reading.signal);
        return reduced;
      } catch {
        // The calling thread repeats the box and reports the error.
        return undefined;
      }
    },
  };
}

function planOf({ stored, transform }: StoredElements, layout: InnerChunkLayout): ReadPlan {
  return planRead(layout, stored.array.meta.dtype, stored.selection, transform);
}
