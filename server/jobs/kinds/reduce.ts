/**
 * Reductions. Where the partial results of chunks are small, the chunks of the source are divided into tasks, so that even
 * a single number is computed by many; otherwise the results are.
 */
import {
  type Block,
  type CallOptions,
  foldParts,
  type LazySlice,
  LimitError,
  parseNodePath,
  readySlice,
  type ReduceState,
  sizeOf,
  type SliceReduction,
} from '../../zarr/index.js';
import { digestOfPlan, essenceOf, type JobOf, type JobPlace, type TargetOptions } from '../job.js';
import { taskLimits } from '../limits.js';
import type { JobPlan } from '../plan.js';
import { openReduced, type ReducedSource } from '../source.js';
import { assertApart, type JobStore, type JobStores } from '../stores.js';
import { type ArrayTarget, formatAt, targetOf } from '../target.js';
import { planCopy, plannedArray } from './copy.js';
import { createNodes } from './create-nodes.js';
import { divideFold, mergingOf, runFold, seenByFold } from './fold-tasks.js';
import { type DividedWork, divideResults, type FinishValues } from './result-tasks.js';
import { roundedTo } from './rounded.js';
import { statePartials } from './state-partials.js';
import { arraysOf, watchNodes } from './watch-nodes.js';

/** Values that are kept with a job, in bytes. */
const MAX_KEPT_BYTES = 2 ** 20;
/** Partial result of a chunk, in bytes, and its share of the chunk: larger ones take longer to pass on than to compute. */
const MAX_PARTIAL_BYTES = 32 * 1024;
const MAX_PARTIAL_SHARE = 1 / 8;
/** Merged state, in bytes. */
const MAX_STATE_BYTES = 32 * 2 ** 20;

interface Destination {
  readonly store: JobStore;
  readonly target: ArrayTarget;
}

/** @throws errors from opening the source; InputError for a destination that overlaps it, and for invalid options; LimitError and UnsupportedError for results that are not kept without a destination */
export async function planReduce(
  job: JobOf<'reduce'>,
  stores: JobStores,
  callOptions: CallOptions,
): Promise<JobPlan> {
  const { signal } = callOptions;
  const { source: recipe, destination: place, options } = job;
  const from = await stores.source(recipe.store, signal);
  const watch = watchNodes(from);
  await watch.add(parseNodePath(recipe.path), signal);
  const opened = await openReduced(from, recipe, signal);
  const { slice } = opened.source;
  const isWatched = from.isFixed !== true;
  const reads = arraysOf(slice);
  let work = divideSource(opened, isWatched);
  let destination: Destination | undefined;
  if (place === undefined) {
    assertKept(slice);
    work ??= divideResults(slice, isWatched);
  } else {
    const store = await stores.destination(place, signal);
    for (const path of [recipe.path, ...reads])
      assertApart({ store: from, path }, { store, path: place.path });
    if (work === undefined) return planCopy({ ...job, destination: place }, stores, callOptions);
    destination = { store, target: await targetIn(store, place, opened, options, signal) };
  }
  await watch.addAll(reads, signal);
  const { division, merging, ...divided } = work;
  return {
    job,
    reads,
    digest: digestOfPlan({
      job: essenceOf(job),
      watched: watch.versions(),
      division,
      target: destination?.target.meta.documents ?? null,
    }),
    ...divided,
    stages: [0],
    isSourceCurrent: (now) => watch.isCurrent(now),
    ...(destination === undefined
      ? { nodes: [], destination, merging: merging(keepValues) }
      : writing(destination, merging)),
  };
}

const keepValues: FinishValues = async (read) => ({ block: await read() });

/** The members of a plan that write the values to a new array at the end. */
function writing(
  { store, target }: Destination,
  merging: DividedWork['merging'],
): Pick<JobPlan, 'nodes' | 'destination' | 'prepare' | 'merging'> {
  const { path } = target;
  return {
    nodes: [plannedArray(target)],
    destination: { store, path },
    prepare: (hierarchy, create) =>
      createNodes(hierarchy, { root: path, groups: [], arrays: [target] }, create),
    merging: merging(async (read, hierarchy, options) => {
      const array = await (hierarchy ?? store.hierarchy).array(path, options);
      const block = roundedTo(await read(), array.meta.dtype);
      const { bytesWritten, chunksWritten } = await array
        .select()
        .write(block, { ...options, limits: taskLimits });
      return { counts: { bytesRead: 0, bytesWritten, chunksWritten } };
    }),
  };
}

async function targetIn(
  { hierarchy }: JobStore,
  { path }: JobPlace,
  { source }: ReducedSource,
  options: TargetOptions = {},
  signal: AbortSignal | undefined,
): Promise<ArrayTarget> {
  const at = parseNodePath(path);
  const format = await formatAt(hierarchy, at, options, undefined, signal);
  return targetOf(source, at, format, options, hierarchy.registry);
}

/** Divides the source; undefined if the partial results of its chunks do not give the values, or are too large. */
function divideSource(opened: ReducedSource, isWatched: boolean): DividedWork | undefined {
  const { reduced } = opened;
  const reduction = reduced?.reduction;
  const parts = reduction === undefined ? undefined : foldParts(reduction.input, reduction.fold);
  if (reduced === undefined || reduction === undefined || parts === undefined) return undefined;
  const { partialBytes, chunkBytes } = parts;
  const isSmall = partialBytes <= MAX_PARTIAL_BYTES && partialBytes <= chunkBytes * MAX_PARTIAL_SHARE;
  // One chunk needs no division, and small chunks have small partial results.
  const isNumber = partialBytes <= 256;
  if (reduction.fold.totalBytes > MAX_STATE_BYTES || !(isSmall || isNumber)) return undefined;
  const fold = divideFold(reduction.input, parts);
  return {
    division: fold.chunksPerTask,
    tasks: fold.tasks,
    needBytes: fold.needBytes,
    totalBytes: parts.tasks * chunkBytes,
    run: (task, context) => runFold(fold, task, context, isWatched),
    seenNow: async (task, now) => (isWatched ? seenByFold(fold, task, now) : 0n),
    merging: (finish) =>
      mergingOf(fold, statePartials, (state, hierarchy, options) =>
        finish(() => valuesOf(opened, reduced, reduction, state, options), hierarchy, options),
      ),
  };
}

/** The values of all steps. */
async function valuesOf(
  opened: ReducedSource,
  reduced: LazySlice,
  reduction: SliceReduction,
  state: ReduceState,
  options: CallOptions,
): Promise<Block> {
  const block = await reduction.finish(state, { ...options, limits: taskLimits });
  const last = await opened.finish(readySlice(reduced, block, false));
  return last.read({ ...options, limits: taskLimits });
}

function assertKept({ shape, dtype, where }: LazySlice): void {
  const bytes = sizeOf(shape) * (dtype.itemSize ?? 64);
  if (bytes <= MAX_KEPT_BYTES) return;
  throw new LimitError(
    `the result has ${bytes} bytes; without a destination, at most ${MAX_KEPT_BYTES} are kept`,
    { where, excess: [{ limit: 'result of a job', allowed: MAX_KEPT_BYTES, needed: bytes }] },
  );
}
