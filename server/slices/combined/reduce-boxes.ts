/** Reduces boxes of combined slices on the threads of the pool, which also read and decode their chunks. */
import { defined } from '../../../wire/guards.js';
import { isFixedSize } from '../../core/dtype/data-type.js';
import { BoxThreads, canReadDirectly, isSameRead } from '#direct-reads';
import { canReduceBoxes, isWorthBoxThreads } from '../../chunks/read/choose.js';
import type { BoxArrayPart, BoxPart, BoxTask, ReducedBox } from '../../chunks/read/box-read.js';
import type { ChunkSource } from '../../chunks/read/chunk-read.js';
import { maxStoredBytes, planRead, type ReadPlan } from '../../format/plan/plan.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import type { BoxValues } from '../../threads/protocol.js';
import { poolFor } from '../../threads/shared-pool.js';
import type { InnerChunkLayout } from '../../format/plan/layout.js';
import type { LazySlice, SlicedArray, SliceReadOptions, StoredElements } from '../lazy-slice.js';
import { type Box, selectionIn } from '../boxes.js';
import { HeldSlice } from '../held-slice.js';
import type { CombinedInput } from './combination.js';

export interface BoxReducer {
  /** Maximum number of boxes that are started and not merged. @param results number of results of a box */
  aheadOf(results: number): number;
  /** @returns undefined if the box must be computed on this thread */
  reduce(box: Box, tasks: readonly BoxTask[]): Promise<ReducedBox | undefined>;
}

/** What threads need to read the inputs of boxes. */
export interface BoxInputs {
  readonly inputs: readonly CombinedInput[];
  readonly known: readonly KnownInput[];
}

type KnownInput = StoredInput | InputInMemory;

/** A slice without inputs: its values are in memory, or computed from values in memory. */
interface InputInMemory {
  readonly slice: LazySlice;
  readonly axes: readonly number[];
}

interface StoredInput {
  readonly array: SlicedArray;
  readonly axes: readonly number[];
  readonly layout: InnerChunkLayout;
  readonly source: ChunkSource;
  readonly plan: ReadPlan;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
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
 * @param reading options for reading an input
 * @returns undefined if threads cannot read the inputs, or should not, as when the chunks are cached for other reads
 */
export function boxInputsOf(
  inputs: readonly CombinedInput[],
  { keepChunks: keepsChunks = false, limits }: SliceReadOptions,
): BoxInputs | undefined {
  const known = inputs.flatMap(({ slice, axes }): KnownInput[] => {
    const { elements } = slice;
    if (isInMemory(slice)) return [{ slice, axes }];
    if (elements?.stored.array.layout === undefined) return [];
    const { array } = elements.stored;
    const { layout, source } = array.source();
    const plan = planOf(elements, layout);
    const maxBytes = maxStoredBytes(plan, limits ?? array.context.limits);
    return [{ array, axes, layout, source, plan, maxBytes }];
  });
  const stored = storedOf(known);
  const [first] = stored;
  if (first === undefined || known.length < inputs.length) return undefined;
  if (!canReadDirectly || stored.some(({ source }) => source.store.locate === undefined)) return undefined;
  const plans = stored.map(({ plan }) => plan);
  const { decoding } = first.array.context;
  const isPreferred = decoding.pool?.isPreferred === true;
  if (decoding.pool === null || !canReduceBoxes(plans, { keepsChunks, isPreferred })) return undefined;
  return { inputs, known };
}

/** Whether parts of a slice are only copied to a thread. */
export function isInMemory({ inputs, dtype }: LazySlice): boolean {
  return inputs.length === 0 && isFixedSize(dtype);
}

function storedOf(known: readonly KnownInput[]): StoredInput[] {
  return known.flatMap((input) => ('array' in input ? [input] : []));
}

/** @returns undefined if threads should not reduce boxes of the inputs */
export function poolForBoxes({ known }: BoxInputs): CodecPool | undefined {
  const stored = storedOf(known);
  const { array, layout } = defined(stored[0]);
  const { decoding } = array.context;
  const decodedBytes = stored.reduce((sum, { plan }) => sum + plan.cost.decodedBytes, 0);
  const pool = poolFor(decoding, layout.largest.chain, decodedBytes);
  return pool !== undefined && isWorthBoxThreads(pool.threads, decoding.here !== false) ? pool : undefined;
}

/**
 * Finds inputs among those of other boxes.
 * @returns for each of `some`, the index of the same input in `all`; undefined if one of them is not there
 */
export function indicesOfInputs(some: BoxInputs, all: BoxInputs): readonly number[] | undefined {
  const indices = some.known.map((one) => all.known.findIndex((other) => isSameInput(one, other)));
  return indices.includes(-1) ? undefined : indices;
}

function isSameInput(a: KnownInput, b: KnownInput): boolean {
  if (!('array' in a) || !('array' in b)) return a === b;
  if (a.array.context !== b.array.context || a.array.cacheKey !== b.array.cacheKey) return false;
  if (a.maxBytes !== b.maxBytes) return false;
  return (
    a.axes.length === b.axes.length &&
    a.axes.every((axis, d) => axis === b.axes[d]) &&
    isSameRead(a.plan, b.plan)
  );
}

/**
 * @param boxBytes maximum size of a box, with all inputs
 * @param reading options for reading an input
 */
export function createBoxReducer(
  { inputs, known }: BoxInputs,
  pool: CodecPool,
  boxBytes: number,
  reading: SliceReadOptions,
): BoxReducer {
  const threads = new BoxThreads(pool, reading.signal);

  async function partOf(box: Box, k: number, missing: Set<SlicedArray>): Promise<BoxPart> {
    const input = defined(known[k]);
    const part = defined(inputs[k]).slice.select(selectionIn(box, input.axes));
    return 'array' in input ? storedPart(part, input, missing) : valuesPart(part, input);
  }

  /** The values are not read-only, so that they can be transferred. */
  async function valuesPart(slice: LazySlice, { axes }: InputInMemory): Promise<BoxValues> {
    const options = { signal: reading.signal, limits: reading.limits };
    const isHeld = slice instanceof HeldSlice;
    const { block, gather } = isHeld ? await slice.readBase(options) : { block: await slice.read(options) };
    if (!('bytes' in block) || !isFixedSize(block.dtype)) throw new TypeError('inputs have a fixed size');
    const { bytes, dtype } = block;
    // Otherwise, the whole buffer would be copied.
    const values = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
    if (gather === undefined) return { values, dtype, axes };
    const { axis, of } = gather;
    const own = of.byteLength === of.buffer.byteLength ? of : of.slice();
    return { values, dtype, axes, gathered: { count: defined(block.shape[axis]), by: { axis, of: own } } };
  }

  function storedPart(
    { elements }: LazySlice,
    { layout, source, maxBytes, axes }: StoredInput,
    missing: Set<SlicedArray>,
  ): BoxArrayPart {
    if (elements === undefined) throw new TypeError('the part of an input has no stored elements');
    const { array } = elements.stored;
    const { context, path } = array;
    const plan = planOf(elements, layout);
    return {
      plan,
      source,
      axes,
      maxBytes,
      onDecoded: (chunks) => context.metrics?.chunksDecoded(chunks, chunks * plan.cost.chunkBytes),
      onVersion(key, version) {
        if (version === undefined) missing.add(array);
        reading.onVersion?.({ store: context.store.label, path, key }, version);
      },
    };
  }

  return {
    aheadOf(results) {
      const most = boxesAhead(pool.threads, boxBytes);
      // A box with several results occupies a thread for longer.
      return Math.max(Math.min(2 * pool.threads, most), Math.floor(most / results));
    },
    async reduce(box, tasks) {
      const missing = new Set<SlicedArray>();
      try {
        const parts: BoxPart[] = [];
        for (const k of inputs.keys()) parts.push(await partOf(box, k, missing));
        const reduced = await threads.reduce(parts, box.shape, tasks);
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
