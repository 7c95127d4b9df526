/** Statistics of all values of a slice. */
import {
  hasStatistic,
  statisticsFields,
  statisticValue,
} from '../../analysis/statistics/statistic-values.js';
import {
  type CallOptions,
  InputError,
  type JsonValue,
  parseNodePath,
  statisticsFold,
} from '../../zarr/index.js';
import { digestOfPlan, type JobOf } from '../job.js';
import type { JobPlan } from '../plan.js';
import { openSource } from '../source.js';
import type { JobStores } from '../stores.js';
import { divideFold, foldTask, MergedFold, needOfFold, seenByFold } from './fold-tasks.js';
import { statisticsPartials } from './statistics-partials.js';
import { watchNodes } from './watch-nodes.js';

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
  await watch.addAll(
    slice.inputs.map(({ array }) => array.path),
    signal,
  );
  const fields = statisticsFields.filter((field) => hasStatistic(slice.dtype, field));
  const foldOf = (rank: number) => statisticsFold({ summary: true, bins: [], digits: undefined }, rank);
  const grid = divideFold(slice);
  const isWatched = store.isFixed !== true;
  let merged = new MergedFold(foldOf(slice.shape.length));
  return {
    job,
    digest: digestOfPlan({ job, watched: watch.versions(), shape: grid.taskShape }),
    tasks: grid.tasks,
    stages: [0],
    needBytes: needOfFold(slice, grid),
    totalBytes: slice.cost().decodedBytes + slice.cost().reducedBytes,
    nodes: [],
    destination: undefined,
    run: (task, context) =>
      foldTask(slice, grid, task, (part) => foldOf(part.shape.length), context, isWatched),
    seenNow: async (task, options) => (isWatched ? seenByFold(slice, grid, task, options) : 0n),
    isSourceCurrent: (options) => watch.isCurrent(options),
    merge: (partial) => merged.add(partial),
    partials: statisticsPartials,
    async finish() {
      const total = merged.finish();
      // A plan can be run again.
      merged = new MergedFold(foldOf(slice.shape.length));
      return Object.fromEntries(
        fields.map((field): [string, JsonValue] => [
          field,
          jsonOf(statisticValue(field, slice.dtype, total)),
        ]),
      );
    },
  };
}

function jsonOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(jsonOf) : null;
}
