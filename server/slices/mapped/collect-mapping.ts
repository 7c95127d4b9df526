/**
 * Reductions that need all elements of a result at once: medians, quantiles, modes, and the first and last
 * text. The result is computed in parts whose inputs fit into the memory limit. A single result with a larger
 * input is computed from a stream, in several passes if necessary.
 */
import { defined } from '../../../wire/guards.js';
import { indicesOf, sizeOf, stridesOf } from '../../core/bytes/shape.js';
import type { Values } from '../../core/bytes/values.js';
import { loadWasm } from '../../core/wasm/load.js';
import { chargedItemBytes, type Block } from '../../core/dtype/data-type.js';
import { throwIfAborted } from '../../core/errors.js';
import type { LazySlice, SliceReadOptions } from '../lazy-slice.js';
import { defaultLimits } from '../../core/limits.js';
import type { Mapping } from './mapped-slice.js';
import { workOf, assertWithinLimits, type PlanCost } from '../../format/plan/cost.js';
import { mappedShape, type AxisMap } from '../../compute/axis-map.js';
import type { DimLabels } from '../../compute/made-dim.js';
import type { Collector, ResolvedReduce } from '../../compute/kernel.js';
import { MAX_HELD } from '../../compute/ranks.js';
import { collectedBy, type CollectedReduction } from '../../compute/reduce/reduction.js';
import { digitPasses } from '../../compute/statistics/digit-counts.js';
import { PIECE, widen } from '../../compute/number-planes.js';
import type { ElementRegion } from '../../format/plan/region.js';
import { elementRuns } from '../../compute/elements.js';
import { type AbsentPart, collectAbsent, readPart, watchAbsence } from './absent-part.js';
import { collectTiles, MAX_TILE_ELEMENTS, type TiledPart, tilesOf } from './collect-tiles.js';
import { CollectedResults } from './collected-results.js';
import { MAX_RANK_ELEMENTS, rankTiles, readRanks } from './ranks.js';
import { type MappedPart, partsOfResult } from './result-parts.js';
import { elementsBetween, elementsOfResult, resultAxes, type ResultAxis } from './result-axes.js';
import { OneState } from '../one-state.js';
import { createBlockMemory } from '../stream-slice.js';
import { createPause, inTurns } from '../../core/turns.js';

/** Number of input bytes that are reduced at a time. The same amount is read meanwhile. */
const HELD_BYTES = 32 * 2 ** 20;

/** @param quantiles labels of the dimension that QUANTILE adds */
export function collectMapping(resolved: ResolvedReduce, quantiles?: DimLabels): Mapping {
  const { q, dtype } = resolved;
  return {
    dtype,
    leading: q === undefined ? undefined : { name: 'quantile', size: q.length, labels: quantiles },
    cost: (input, maps, outputBytes) => costOf(resolved, input, maps, outputBytes),
    read: (input, maps, options) => collect(resolved, input, maps, options),
  };
}

function costOf(
  resolved: ResolvedReduce,
  input: LazySlice,
  maps: readonly AxisMap[],
  outputBytes: number | undefined,
): PlanCost {
  const { dtype, q, source } = resolved;
  const cost = input.cost();
  const elements = elementsOfResult(maps, input.shape);
  const isLarge = isLargeRank(resolved, input, maps);
  const { work, workPerResult = 0 } = collectedOf(resolved);
  const workPerElement = isLarge ? digitPasses(source) * (q?.length ?? 1) * workOf.digit : work;
  const results = sizeOf(mappedShape(maps, input.shape)) * (q?.length ?? 1);
  return {
    ...cost,
    decodedBytes: 0,
    reducedBytes: (cost.reducedBytes + cost.decodedBytes) * (isLarge ? digitPasses(source) : 1),
    work: cost.work + sizeOf(input.shape) * workPerElement + results * workPerResult,
    outputBytes,
    allocatedBytes: outputBytes ?? results * chargedItemBytes(dtype),
    intermediateBytes:
      cost.intermediateBytes +
      Math.min(cost.allocatedBytes, 2 * HELD_BYTES) +
      (isLarge ? 2 * (q?.length ?? 1) * 2 ** 19 : 16 * Math.min(elements, MAX_HELD)),
  };
}

function collectedOf({ by, source }: ResolvedReduce): CollectedReduction {
  const collected = collectedBy(by, source);
  if (collected === undefined) throw new TypeError(`the reduction ${by} has no collector`);
  return collected;
}

/** Whether the elements of a median or of quantiles do not fit into memory. */
function isLargeRank(resolved: ResolvedReduce, { shape }: LazySlice, maps: readonly AxisMap[]): boolean {
  return collectedOf(resolved).isRank && elementsOfResult(maps, shape) > MAX_HELD;
}

async function collect(
  resolved: ResolvedReduce,
  input: LazySlice,
  maps: readonly AxisMap[],
  options: SliceReadOptions,
): Promise<Block> {
  const { signal, keepChunks } = options;
  const limits = options.limits ?? input.inputs[0]?.array.context.limits ?? defaultLimits;
  assertWithinLimits(collectMapping(resolved).cost(input, maps, undefined), limits);
  const shape = mappedShape(maps, input.shape);
  const results = new CollectedResults(resolved, shape, options.out, limits.maxOutputBytes);
  const state = new OneState(input, options);
  const inner = {
    ...limits,
    maxOutputBytes: Math.max(limits.maxOutputBytes, 2 * HELD_BYTES),
    maxDecodedBytes: Math.max(limits.maxDecodedBytes, limits.maxReducedBytes),
  };
  const reading = { signal, limits: inner, onVersion: state.onVersion, keepChunks };
  const { collector: collectorOf, isRank } = collectedOf(resolved);
  const collector = collectorOf(resolved);
  await loadWasm('codecs');
  const pause = createPause();
  const axes = await inTurns(resultAxes(maps, input.shape));
  const isLarge = isLargeRank(resolved, input, maps);
  // Results of many elements are computed one by one, in passes.
  const parts = partsOfResult(input, axes, shape, isLarge ? 0 : HELD_BYTES);
  const watch = { ...reading, ...watchAbsence(state.onVersion) };
  // Two buffers alternate: one holds the part that is being reduced, the other the part that is being read.
  let memory = createBlockMemory(true);
  let other = createBlockMemory(true);
  const readNext = (): ReadAhead | undefined => {
    [memory, other] = [other, memory];
    const taken = parts.next();
    if (taken.done === true) return undefined;
    const part = taken.value;
    const slice = input.select(part.selection);
    const isAbsent = isRank && watch.wasAbsent();
    const block = part.isHeld ? readPart(slice, { ...watch, ...memory.outFor(slice) }, isAbsent) : undefined;
    // Prevents an unhandled rejection if the read fails while the previous part is reduced.
    block?.catch(() => undefined);
    return { part, slice, block };
  };
  let next = readNext();
  try {
    while (next !== undefined) {
      const { part, slice, block } = next;
      const held = await block;
      state.assertUnchanged();
      next = readNext();
      if (held === undefined) {
        if (isLarge) {
          const ranked = await readRanks(slice, resolved.q, reading);
          state.assertUnchanged();
          results.take(ranked, part.start, sizeOf(slice.shape));
        } else await collectStream(collector, slice, part, results, reading);
        continue;
      }
      const steps =
        'absent' in held
          ? collectAbsent(collector, held.absent, part, axes, results)
          : collectHeld(resolved, collector, held, part, axes, results);
      for (const _ of steps) {
        await pause();
        throwIfAborted(signal);
      }
    }
  } finally {
    // Waits for a read in flight, so that no read continues after the result or an error.
    await next?.block?.catch(() => undefined);
  }
  return results.finish();
}

interface ReadAhead {
  readonly part: MappedPart;
  readonly slice: LazySlice;
  /** The part's values; undefined if the input is read in blocks. */
  readonly block: Promise<Block | AbsentPart> | undefined;
}

/**
 * Computes all results of a part whose elements are in memory. Those that differ only along kept axes are computed
 * together, group by group.
 */
function* collectHeld(
  resolved: ResolvedReduce,
  collector: Collector,
  block: Block,
  part: MappedPart,
  axes: readonly ResultAxis[],
  results: CollectedResults,
): Generator<void> {
  const { isRank } = collectedOf(resolved);
  for (const group of groupsOfPart(part, axes)) {
    const tiled = tiledPart(group, part, axes, block.shape);
    const tiles = tilesOf(block, tiled, isRank ? MAX_RANK_ELEMENTS : MAX_TILE_ELEMENTS);
    if (tiles === undefined) {
      yield* collectEach(collector, block, group, part, axes, results);
      continue;
    }
    const take = (of: Pick<Collector, 'present' | 'results'>, kept: readonly number[]): void => {
      let k = 0;
      const index = group.start.map((first, i) => (group.isKept[i] === true ? first + defined(kept[k++]) : first));
      results.take(of, index, tiles.elements);
    };
    if (isRank) yield* rankTiles(tiles, resolved.q, take);
    else yield* collectTiles(collector, tiles, (index) => take(collector, index));
  }
} // prettier-ignore

/** Results of a part: all along the kept axes, one along the others. */
interface ResultGroup {
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** For each axis of the result. */
  readonly isKept: readonly boolean[];
}

function* groupsOfPart({ start, end }: MappedPart, axes: readonly ResultAxis[]): Generator<ResultGroup> {
  const isKept = axes.filter(({ map }) => map.kind !== 'all').map(({ map }) => map.kind === 'keep');
  const counts = start.map((first, i) => (isKept[i] === true ? 1 : defined(end[i]) - first));
  for (const offset of indicesOf(counts)) {
    const from = start.map((first, i) => first + defined(offset[i]));
    yield { start: from, end: from.map((first, i) => (isKept[i] === true ? defined(end[i]) : first + 1)), isKept }; // prettier-ignore
  }
}

/** The elements of a group in the block of its part. */
function tiledPart(
  group: ResultGroup,
  part: MappedPart,
  axes: readonly ResultAxis[],
  shape: readonly number[],
): TiledPart {
  let i = 0;
  const runs = axes.map((axis, d) => {
    if (axis.map.kind === 'all') return { start: 0, count: defined(shape[d]) };
    const [first, from, end] = [defined(part.start[i]), defined(group.start[i]), defined(group.end[i])];
    i++;
    return { start: elementsBetween(axis, first, from), count: elementsBetween(axis, from, end) };
  });
  return {
    start: runs.map((run) => run.start),
    counts: runs.map(({ count }) => count),
    isKept: axes.map(({ map }) => map.kind === 'keep'),
  };
}

/** Computes the results of a group one by one. */
function* collectEach(
  collector: Collector,
  block: Block,
  group: ResultGroup,
  part: MappedPart,
  axes: readonly ResultAxis[],
  results: CollectedResults,
): Generator<void> {
  const { dtype, shape } = block;
  const strides = stridesOf(shape, dtype.itemSize ?? 1);
  const values: Values = 'bytes' in block ? { bytes: block.bytes } : { items: block.items };
  const { start, end } = group;
  for (const offset of indicesOf(start.map((first, i) => defined(end[i]) - first))) {
    const index = start.map((first, i) => first + defined(offset[i]));
    const one = { start: index, end: index.map((at) => at + 1), isKept: group.isKept };
    const { start: from, counts } = tiledPart(one, part, axes, shape);
    const dims = counts.map((count, d) => ({ count, from: defined(strides[d]) }));
    const first = from.reduce((sum, at, d) => sum + at * defined(strides[d]), 0);
    yield* collectOne(collector, values, { from: first, dims }, dtype);
    results.take(collector, index, sizeOf(counts));
    yield;
  }
}

function* collectOne(
  collector: Collector,
  values: Values,
  region: ElementRegion,
  dtype: Block['dtype'],
): Generator<void> {
  collector.begin(sizeOf(region.dims.map(({ count }) => count)));
  for (const run of elementRuns(values, region, dtype.itemSize, PIECE)) {
    collector.add(widen(run, dtype), run.count, run.values);
    yield;
  }
}

/** Computes one result whose elements do not fit into memory. */
async function collectStream(
  collector: Collector,
  slice: LazySlice,
  { start }: MappedPart,
  results: CollectedResults,
  { signal, limits, onVersion }: SliceReadOptions,
): Promise<void> {
  const pause = createPause();
  collector.begin(sizeOf(slice.shape));
  for await (const { block } of slice.stream({ signal, limits, onVersion })) {
    const { dtype, shape } = block;
    const strides = stridesOf(shape, dtype.itemSize ?? 1);
    const region = { from: 0, dims: shape.map((count, d) => ({ count, from: defined(strides[d]) })) };
    const values: Values = 'bytes' in block ? { bytes: block.bytes } : { items: block.items };
    for (const run of elementRuns(values, region, dtype.itemSize, PIECE)) {
      collector.add(widen(run, dtype), run.count, run.values);
      await pause();
      throwIfAborted(signal);
    }
  }
  results.take(collector, start, sizeOf(slice.shape));
}
