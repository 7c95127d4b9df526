/** Statistics of all values of a slice. */
import {
  hasStatistic,
  statisticsFields,
  statisticValue,
} from '../../analysis/statistics/statistic-values.js';
import {
  type CallOptions,
  collecting,
  type Fold,
  type FoldParts,
  foldParts,
  foldSlice,
  InputError,
  type JsonValue,
  type LazySlice,
  parseNodePath,
  statisticsFold,
  totalOf,
} from '../../zarr/index.js';
import { digestOfPlan, type JobOf } from '../job.js';
import type { JobPlan } from '../plan.js';
import { openSource } from '../source.js';
import type { JobStores } from '../stores.js';
import { divideFold, mergingOf, runFold, seenByFold } from './fold-tasks.js';
import { statisticsPartials } from './statistics-partials.js';
import { arraysOf, watchNodes } from './watch-nodes.js';

/** Statistics of a chunk, in bytes. */
const PARTIAL_BYTES = 256;

/** @throws errors from opening the source; InputError for a group */
export async function planStatisticsJob(
  job: JobOf<'statistics'>,
  stores: JobStores,
  { signal }: CallOptions,
): Promise<JobPlan> {
  const store = await stores.source(job.source.store, signal);
  const watch = watchNodes(store);
  await watch.add(parseNodePath(job.source.path), signal);
  const source = await openSource(store, job.source, signal);
  if (source.kind === 'group')
    throw new InputError('the source is a group, which has no values; choose an array', {
      where: { store: store.name, path: job.source.path },
    });
  const { slice } = source;
  const reads = arraysOf(slice);
  await watch.addAll(reads, signal);
  const fields = statisticsFields.filter((field) => hasStatistic(slice.dtype, field));
  const fold = statisticsFold({ summary: true, bins: [], digits: undefined }, slice.shape.length);
  const divided = divideFold(slice, foldParts(slice, fold) ?? wholeFold(slice, fold));
  const isWatched = store.isFixed !== true;
  return {
    job,
    reads,
    digest: digestOfPlan({ job, watched: watch.versions(), chunks: divided.chunksPerTask }),
    tasks: divided.tasks,
    stages: [0],
    needBytes: divided.needBytes,
    totalBytes: slice.cost().decodedBytes + slice.cost().reducedBytes,
    nodes: [],
    destination: undefined,
    run: (task, context) => runFold(divided, task, context, isWatched),
    seenNow: async (task, options) => (isWatched ? seenByFold(divided, task, options) : 0n),
    isSourceCurrent: (options) => watch.isCurrent(options),
    merging: mergingOf(divided, statisticsPartials, async (total) => ({
      json: Object.fromEntries(
        fields.map((field): [string, JsonValue] => [
          field,
          jsonOf(statisticValue(field, slice.dtype, total)),
        ]),
      ),
    })),
  };
}

/** The fold of a slice that is read in blocks: one task. Statistics do not depend on the positions of the blocks. */
function wholeFold<T>(slice: LazySlice, fold: Fold<T>): FoldParts<T> {
  const { decodedBytes, reducedBytes } = slice.cost();
  const form = { dtype: slice.dtype, transform: undefined, itemSize: slice.dtype.itemSize };
  return {
    tasks: 1,
    tasksPerObject: 1,
    chunkBytes: decodedBytes + reducedBytes,
    partialBytes: PARTIAL_BYTES,
    reduce: (_, options) => foldSlice(slice, collecting(fold), options),
    versions: async () => undefined,
    createMerge(state) {
      const total = totalOf(fold, state);
      return {
        *add(_, partials) {
          for (const partial of partials) yield* total.add(partial, [], form);
        },
        state: () => total.state?.(),
        finish: () => total.finish(),
      };
    },
  };
}

function jsonOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(jsonOf) : null;
}
