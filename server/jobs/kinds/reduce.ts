/**
 * Reductions. Where the partial results of chunks are small, the chunks of the source are divided into tasks, so that even
 * a single number is computed by many; otherwise the results are.
 */
import type { SliceRecipe } from '../../analysis/recipe.js';
import {
  type Block,
  type CallOptions,
  foldParts,
  InputError,
  type LazySlice,
  LimitError,
  parseNodePath,
  readySlice,
  type ReduceState,
  reductionOf,
  sizeOf,
  type SliceReduction,
  UnsupportedError,
  type ZarrError,
} from '../../zarr/index.js';
import { digestOfPlan, essenceOf, type JobOf, type JobPlace, type TargetOptions } from '../job.js';
import { taskLimits } from '../limits.js';
import type { JobPlan } from '../plan.js';
import { openReduced, type ReducedSource } from '../source.js';
import { assertApart, type JobStore, type JobStores } from '../stores.js';
import { type ArrayTarget, formatAt, targetOf } from '../target.js';
import { planCopy, plannedArray } from './copy.js';
import { createNodes } from './create-nodes.js';
import { divideFold, type DividedFold, MergedFold, runFold, seenByFold } from './fold-tasks.js';
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

/** A reduction whose source is divided. */
interface DividedReduction {
  readonly fold: DividedFold<ReduceState>;
  readonly reduction: SliceReduction;
  readonly reduced: LazySlice;
}

interface Destination {
  readonly store: JobStore;
  readonly target: ArrayTarget;
}

/**
 * @throws errors from opening the source; InputError for a destination that overlaps it, and for invalid options;
 * LimitError and UnsupportedError for a reduction that cannot be divided without a destination
 */
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
  const divided = divideReduction(opened, recipe);
  let destination: Destination | undefined;
  if (place === undefined) {
    if ('reason' in divided) throw divided.reason;
    assertKept(slice);
  } else {
    const store = await stores.destination(place, signal);
    assertApart({ store: from, path: recipe.path }, { store, path: place.path });
    if ('reason' in divided) return planCopy({ ...job, destination: place }, stores, callOptions);
    destination = { store, target: await targetIn(store, place, opened, options, signal) };
  }
  const reads = arraysOf(slice);
  await watch.addAll(reads, signal);
  const { fold } = divided;
  const isWatched = from.isFixed !== true;
  let merged = new MergedFold(fold);
  const take = (): ReduceState => {
    const state = merged.finish();
    // A plan can be run again.
    merged = new MergedFold(fold);
    return state;
  };
  return {
    job,
    reads,
    digest: digestOfPlan({
      job: essenceOf(job),
      watched: watch.versions(),
      chunks: fold.chunksPerTask,
      target: destination?.target.meta.documents ?? null,
    }),
    tasks: fold.tasks,
    stages: [0],
    needBytes: fold.needBytes,
    partialBytes: fold.partialBytes,
    totalBytes: fold.parts.tasks * fold.parts.chunkBytes,
    run: (task, context) => runFold(fold, task, context, isWatched),
    seenNow: async (task, now) => (isWatched ? seenByFold(fold, task, now) : 0n),
    isSourceCurrent: (now) => watch.isCurrent(now),
    merge: (partial) => merged.add(partial),
    partials: statePartials,
    ...(destination === undefined
      ? keeping(async (ending) => valuesOf(opened, divided, take(), ending))
      : writing(destination, async (ending) => valuesOf(opened, divided, take(), ending))),
  };
}

/** The members of a plan that depend on where the values go. */
type Ending = Pick<JobPlan, 'nodes' | 'destination' | 'prepare' | 'finish'>;
type ReadValues = (options: CallOptions) => Promise<Block>;

function keeping(read: ReadValues): Ending {
  return {
    nodes: [],
    destination: undefined,
    finish: async (_, options) => ({ block: await read(options) }),
  };
}

function writing({ store, target }: Destination, read: ReadValues): Ending {
  const { path } = target;
  return {
    nodes: [plannedArray(target)],
    destination: { store, path },
    prepare: (hierarchy, create) =>
      createNodes(hierarchy, { root: path, groups: [], arrays: [target] }, create),
    async finish(hierarchy, options) {
      const array = await (hierarchy ?? store.hierarchy).array(path, options);
      const block = roundedTo(await read(options), array.meta.dtype);
      const { bytesWritten, chunksWritten } = await array
        .select()
        .write(block, { ...options, limits: taskLimits });
      return { counts: { bytesRead: 0, bytesWritten, chunksWritten } };
    },
  };
}

/** The values of all steps. */
async function valuesOf(
  opened: ReducedSource,
  { reduction, reduced }: DividedReduction,
  state: ReduceState,
  options: CallOptions,
): Promise<Block> {
  const block = await reduction.finish(state, { ...options, limits: taskLimits });
  const last = await opened.finish(readySlice(reduced, block, false));
  return last.read({ ...options, limits: taskLimits });
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

/** Divides the source; otherwise the reason why it cannot be. */
function divideReduction(
  { source, reduced }: ReducedSource,
  recipe: SliceRecipe,
): DividedReduction | { readonly reason: ZarrError } {
  const { where } = source.slice;
  const advice = 'give the job a destination, so that its results are divided into tasks';
  const reduction = reduced?.reduction;
  const parts = reduction === undefined ? undefined : foldParts(reduction.input, reduction.fold);
  if (reduced === undefined || reduction === undefined || parts === undefined)
    return { reason: new UnsupportedError(`${reasonOf(recipe)}; ${advice}`, { where }) };
  const { partialBytes, chunkBytes } = parts;
  const { totalBytes } = reduction.fold;
  const isSmall = partialBytes <= MAX_PARTIAL_BYTES && partialBytes <= chunkBytes * MAX_PARTIAL_SHARE;
  // One chunk needs no division, and small chunks have small partial results.
  const isNumber = partialBytes <= 256;
  if (totalBytes > MAX_STATE_BYTES || !(isSmall || isNumber))
    return {
      reason: new LimitError(`the partial result of a chunk has ${partialBytes} bytes, too many to be passed on; ${advice}`, {
        where,
        excess: [{ limit: 'partial result of a chunk', allowed: Math.min(MAX_PARTIAL_BYTES, Math.floor(chunkBytes * MAX_PARTIAL_SHARE)), needed: partialBytes }],
      }),
    }; // prettier-ignore
  return { fold: divideFold(reduction.input, parts), reduction, reduced };
}

/** Why the source of a reduction cannot be divided. */
function reasonOf({ steps }: SliceRecipe): string {
  for (const step of steps) {
    const by = 'reduce' in step ? step.reduce.by : 'group' in step ? step.group.reduce : undefined;
    if (by === undefined) continue;
    return reductionOf(by).slots === undefined
      ? `${by} needs all values of a result at once, so partial results of chunks cannot be merged`
      : 'only reductions of one array, decoded, selected or masked, are divided by its chunks';
  }
  throw new InputError('a job of the kind "reduce" needs a reduction among the steps of its source');
}

function assertKept({ shape, dtype, where }: LazySlice): void {
  const bytes = sizeOf(shape) * (dtype.itemSize ?? 64);
  if (bytes <= MAX_KEPT_BYTES) return;
  throw new LimitError(
    `the result has ${bytes} bytes; without a destination, at most ${MAX_KEPT_BYTES} are kept`,
    { where, excess: [{ limit: 'result of a job', allowed: MAX_KEPT_BYTES, needed: bytes }] },
  );
}
