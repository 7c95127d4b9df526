/** Copies an array, a computed slice, or a group with everything below it. */
import { defined } from '../../../wire/guards.js';
import {
  type CallOptions,
  type Hierarchy,
  LimitError,
  parseNodePath,
  type ZarrArray,
  ZarrGroup,
} from '../../zarr/index.js';
import { digestOfPlan, essenceOf, type JobOf, type TargetOptions } from '../job.js';
import { MAX_NODES } from '../limits.js';
import { type JobPlan, noResult, type PlannedNode } from '../plan.js';
import { type GroupSource, openSource, type SliceSource } from '../source.js';
import { assertApart, type JobStores } from '../stores.js';
import { type ArrayTarget, assertFinished, formatAt, targetOf } from '../target.js';
import { TaskOffsets } from '../task-offsets.js';
import { type ArrayCopy, divideCopy, runCopy, seenByCopy } from './array-copy.js';
import { createNodes, type GroupTarget } from './create-nodes.js';
import { arraysOf, watchNodes } from './watch-nodes.js';

interface PlannedCopy extends ArrayCopy {
  readonly target: ArrayTarget;
  readonly source: SliceSource;
}

/** A job whose tasks write the values of a slice. */
type WritingJob = JobOf<'copy'> | (JobOf<'reduce'> & Required<Pick<JobOf<'reduce'>, 'destination'>>);

/** @throws errors from opening the source; InputError for a destination that overlaps it, and for invalid options */
export async function planCopy(
  job: WritingJob,
  stores: JobStores,
  { signal }: CallOptions,
): Promise<JobPlan> {
  const from = await stores.source(job.source.store, signal);
  const to = await stores.destination(job.destination, signal);
  const path = parseNodePath(job.destination.path);
  assertApart({ store: from, path: job.source.path }, { store: to, path });
  const watch = watchNodes(from);
  await watch.add(parseNodePath(job.source.path), signal);
  const source = await openSource(from, job.source, signal);
  const { options = {} } = job;
  const ofSource = source.kind === 'group' ? source.group.meta.zarrFormat : source.stored?.meta.zarrFormat;
  const format = await formatAt(to.hierarchy, path, options, ofSource, signal);
  const members =
    source.kind === 'group' ? await membersOf(source, path, signal) : { groups: [], arrays: [] };
  await watch.addAll(
    [...members.groups.map(({ from: at }) => at), ...members.arrays.map(({ from: at }) => at)],
    signal,
  );
  const reads = source.kind === 'slice' ? arraysOf(source.slice) : [];
  for (const read of reads) assertApart({ store: from, path: read }, { store: to, path });
  await watch.addAll(reads, signal);
  const groups: GroupTarget[] = members.groups.map(({ group, path: at }) => ({
    path: at,
    format,
    attributes: group.meta.attributes,
  }));
  const sources: { readonly source: SliceSource; readonly path: string }[] =
    source.kind === 'slice'
      ? [{ source, path }]
      : members.arrays.map(({ array, path: at }) => ({ source: wholeOf(array, source), path: at }));
  const copies = sources.map((each) => planArray(each.source, each.path, format, options, to.hierarchy));
  const offsets = new TaskOffsets(copies.map(({ grid }) => grid.tasks));
  const consolidates = options.consolidate ?? (source.kind === 'group' && source.group.consolidated);
  const digest = digestOfPlan({
    job: essenceOf(job),
    watched: watch.versions(),
    arrays: copies.map(({ grid, target }) => [
      target.path,
      grid.shape,
      grid.taskShape,
      target.meta.documents,
    ]),
  });
  const locate = (task: number): { readonly copy: PlannedCopy; readonly task: number } => {
    const at = offsets.locate(task);
    return { copy: defined(copies[at.index]), task: at.task };
  };
  return {
    job,
    reads,
    digest,
    tasks: offsets.count,
    stages: [0],
    needBytes: Math.max(0, ...copies.map(({ needBytes }) => needBytes)),
    totalBytes: copies.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
    nodes: [
      ...groups.map(({ path: at }): PlannedNode => ({ path: at, kind: 'group' })),
      ...copies.map(({ target }) => plannedArray(target)),
    ],
    destination: { store: to, path },
    run(task, context) {
      const at = locate(task);
      return runCopy(at.copy, at.task, context);
    },
    seenNow(task, callOptions) {
      const at = locate(task);
      return seenByCopy(at.copy, at.task, at.copy.source.slice, callOptions);
    },
    isSourceCurrent: (callOptions) => watch.isCurrent(callOptions),
    prepare: (hierarchy, create) =>
      createNodes(hierarchy, { root: path, groups, arrays: copies.map(({ target }) => target) }, create),
    async finish(hierarchy, callOptions) {
      if (consolidates && hierarchy !== undefined && hierarchy.store.isIsolated !== true)
        await hierarchy.consolidate(path, callOptions);
      return noResult;
    },
  };
}

export function plannedArray({ path, meta, request }: ArrayTarget): PlannedNode {
  const objects = meta.grid.dims.map(({ longest }) => longest);
  return {
    path,
    kind: 'array',
    shape: meta.shape,
    dtype: meta.dtypeName,
    ...(request.shardShape === undefined
      ? { chunks: objects }
      : { chunks: request.chunkShape ?? objects, shards: objects }),
  };
}

function planArray(
  source: SliceSource,
  path: string,
  format: 2 | 3,
  options: TargetOptions,
  { registry }: Hierarchy,
): PlannedCopy {
  const target = targetOf(source, path, format, options, registry);
  return {
    path,
    source,
    target,
    ...divideCopy(source.slice, target.objectShape),
    slice: async () => source.slice,
    isWatched: source.store.isFixed !== true,
  };
}

function wholeOf(array: ZarrArray, { store }: GroupSource): SliceSource {
  return {
    kind: 'slice',
    slice: array.select(),
    array,
    stored: array,
    attributes: array.meta.attributes,
    store,
  };
}

interface Members {
  readonly groups: { readonly group: ZarrGroup; readonly from: string; readonly path: string }[];
  readonly arrays: { readonly array: ZarrArray; readonly from: string; readonly path: string }[];
}

/** The nodes of a group with their new paths, parents first. @throws LimitError for too many */
async function membersOf(
  { group, store }: GroupSource,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Members> {
  assertFinished(group.meta.attributes, { store: store.name, path: group.path });
  const members: Members = { groups: [{ group, from: group.path, path }], arrays: [] };
  const above = group.path === '/' ? '' : group.path;
  const root = path === '/' ? '' : path;
  let count = 1;
  for await (const entry of store.hierarchy.walk(group.path, { recursive: true, complete: true, signal })) {
    if (++count > MAX_NODES)
      throw new LimitError(`the group has more than ${MAX_NODES} nodes; copy its groups one by one`, {
        excess: [{ limit: 'nodes of a job', allowed: MAX_NODES, needed: count }],
      });
    const node = entry.open();
    const at = { from: entry.path, path: root + entry.path.slice(above.length) };
    if (node instanceof ZarrGroup) members.groups.push({ group: node, ...at });
    else members.arrays.push({ array: node, ...at });
  }
  return members;
}
