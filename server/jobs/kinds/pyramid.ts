/** Pyramids: copies of an array at decreasing resolutions, with the metadata of GeoZarr or OME-Zarr 0.5. */
import { defined } from '../../../wire/guards.js';
import {
  type CallOptions,
  type CoarsenMethod,
  coarsenSlice,
  createMemoryStore,
  type CreateArrayRequest,
  InputError,
  isZarrError,
  type JsonObject,
  type LazySlice,
  numberAccess,
  openHierarchy,
  parseNodePath,
  positionOfDim,
} from '../../zarr/index.js';
import { digestOfPlan, essenceOf, type JobOf, type PyramidConvention } from '../job.js';
import { type JobPlan, noResult, type TaskContext } from '../plan.js';
import { openSource, type SliceSource } from '../source.js';
import { assertApart, type JobStores } from '../stores.js';
import { type ArrayTarget, formatAt, targetOf } from '../target.js';
import { TaskOffsets } from '../task-offsets.js';
import { type ArrayCopy, divideCopy, runCopy, seenByCopy } from './array-copy.js';
import { plannedArray } from './copy.js';
import { createNodes, type GroupTarget } from './create-nodes.js';
import { pyramidCoordinates } from './pyramid-coordinates.js';
import { geozarrAttributes, omeAttributes, omeNames } from './pyramid-metadata.js';
import { arraysOf, watchNodes } from './watch-nodes.js';

/** Length of a dimension from which no further level is made. */
const SMALLEST = 256;
const MAX_LEVELS = 32;

/** An array of a level and, for the first level, its values. */
interface LevelArray extends ArrayCopy {
  readonly target: ArrayTarget;
  readonly first: LazySlice | undefined;
}

/** An array of the source with its levels. */
interface Layer {
  readonly name: string;
  readonly source: SliceSource;
  /** The dimensions that shrink. */
  readonly shrinks: readonly boolean[];
  readonly method: CoarsenMethod | undefined;
}

/** @throws errors from opening the source; InputError for a group, unknown dimensions, or what OME-Zarr does not allow */
export async function planPyramid(
  job: JobOf<'pyramid'>,
  stores: JobStores,
  { signal }: CallOptions,
): Promise<JobPlan> {
  const { options } = job;
  const convention: PyramidConvention = options.convention ?? 'geozarr';
  const from = await stores.source(job.source.store, signal);
  const to = await stores.destination(job.destination, signal);
  const path = parseNodePath(job.destination.path);
  assertApart({ store: from, path: job.source.path }, { store: to, path });
  const watch = watchNodes(from);
  await watch.add(parseNodePath(job.source.path), signal);
  const source = await openSource(from, job.source, signal);
  const where = { store: from.name, path: job.source.path };
  if (source.kind === 'group') throw new InputError('the source of a pyramid must be an array', { where });
  const { slice } = source;
  const format = await formatAt(to.hierarchy, path, options, source.stored?.meta.zarrFormat, signal);
  if (convention === 'ome' && format !== 3)
    throw new InputError('OME-Zarr 0.5 requires Zarr format 3', { where });
  const shrinks = shrinking(slice, options.dimensions);
  const coordinates = convention === 'geozarr' ? await pyramidCoordinates(source, job.source, signal) : [];
  const reads = [slice, ...coordinates.map((each) => each.slice)].flatMap(arraysOf);
  for (const read of reads) assertApart({ store: from, path: read }, { store: to, path });
  await watch.addAll(reads, signal);
  const name = job.source.path.slice(job.source.path.lastIndexOf('/') + 1) || 'data';
  const layers: Layer[] = [
    { name, source, shrinks, method: options.method },
    ...coordinates.map((coordinate) => ({
      name: coordinate.slice.dims[0]?.name ?? '',
      source: coordinate,
      shrinks: [shrinks[slice.dims.findIndex((dim) => dim.name === coordinate.slice.dims[0]?.name)] ?? false],
      method: 'MEAN' as const,
    })),
  ];
  const count = options.levels ?? levelsFor(slice.shape, shrinks);
  const levels: LevelArray[][] = Array.from({ length: count }, () => []);
  // Metadata of the levels in memory, to plan a level from the one before it, which does not exist yet.
  const scratch = openHierarchy(createMemoryStore({ label: to.name }), { registry: to.hierarchy.registry });
  for (const [l, layer] of layers.entries()) {
    const isMain = l === 0;
    const targets = isMain
      ? options
      : { ...(options.format === undefined ? {} : { format: options.format }) };
    const base = targetOf(layer.source, path, format, targets, to.hierarchy.registry);
    const request =
      convention === 'ome' ? { ...base.request, dimensionNames: omeNames(slice.dims) } : base.request;
    let planned = layer.source.slice;
    for (const [k, arrays] of levels.entries()) {
      const at = levelPath(path, k, layer.name, convention);
      const own: CreateArrayRequest = { ...request, shape: planned.shape };
      const array = await scratch.createArray(at, own, { zarrFormat: format, signal });
      const objectShape = array.meta.grid.dims.map(({ longest }) => longest);
      const above = k === 0 ? undefined : levelPath(path, k - 1, layer.name, convention);
      arrays.push({
        path: at,
        target: { path: at, format, request: own, meta: array.meta, objectShape },
        ...divideCopy(planned, objectShape),
        first: above === undefined ? planned : undefined,
        slice: async (context) =>
          above === undefined ? layer.source.slice : coarserOf((await context.target(above)).select(), layer),
        isWatched: above === undefined && from.isFixed !== true,
      });
      planned = coarserOf(array.select(), layer);
    }
  }
  const all = levels.flat();
  const offsets = new TaskOffsets(all.map(({ grid }) => grid.tasks));
  const shapes = levels.map(([main]) => defined(main).target.meta.shape);
  const describe = convention === 'ome' ? omeAttributes : geozarrAttributes;
  const attributes: JsonObject = describe({
    name,
    dims: slice.dims,
    shapes,
    shrinks,
    method:
      options.method ??
      (numberAccess(slice.dtype.name) === undefined || slice.dtype.name === 'bool' ? 'MODE' : 'MEAN'),
  });
  const groups: GroupTarget[] = [
    { path, format, attributes },
    ...(convention === 'ome'
      ? []
      : levels.map((_, k) => ({ path: childOf(path, String(k)), format, attributes: {} }))),
  ];
  const locate = (task: number): { readonly array: LevelArray; readonly task: number } => {
    const at = offsets.locate(task);
    return { array: defined(all[at.index]), task: at.task };
  };
  return {
    job,
    reads,
    digest: digestOfPlan({
      job: essenceOf(job),
      watched: watch.versions(),
      arrays: all.map(({ grid, target }) => [target.path, grid.shape, grid.taskShape, target.meta.documents]),
    }),
    tasks: offsets.count,
    stages: levels.map((_, k) => offsets.first(k * layers.length)),
    needBytes: Math.max(0, ...all.map(({ needBytes }) => needBytes)),
    totalBytes: all.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
    nodes: [
      ...groups.map((group) => ({ path: group.path, kind: 'group' as const })),
      ...all.map(({ target }) => plannedArray(target)),
    ],
    destination: { store: to, path },
    run(task, context: TaskContext) {
      const at = locate(task);
      return runCopy(at.array, at.task, context);
    },
    async seenNow(task, callOptions) {
      const { array, task: own } = locate(task);
      // The levels below the first are read from the destination, which this job writes.
      return array.first === undefined ? 0n : seenByCopy(array, own, array.first, callOptions);
    },
    isSourceCurrent: (callOptions) => watch.isCurrent(callOptions),
    prepare: (hierarchy, create) =>
      createNodes(hierarchy, { root: path, groups, arrays: all.map(({ target }) => target) }, create),
    async finish(hierarchy, callOptions) {
      const consolidates = options.consolidate ?? convention === 'geozarr';
      if (consolidates && hierarchy !== undefined && hierarchy.store.isIsolated !== true)
        await hierarchy.consolidate(path, callOptions);
      return noResult;
    },
  };
}

/** @throws InputError for a slice without dimensions; SelectionError for an unknown dimension */
function shrinking({ dims, where }: LazySlice, dimensions: readonly string[] | undefined): boolean[] {
  if (dims.length === 0) throw new InputError('a pyramid needs an array with dimensions', { where });
  const chosen = dimensions?.map((dim) => positionOfDim(dim, dims)) ?? [dims.length - 2, dims.length - 1];
  return dims.map((_, d) => chosen.includes(d));
}

function levelsFor(shape: readonly number[], shrinks: readonly boolean[]): number {
  let largest = Math.max(1, ...shape.filter((_, d) => shrinks[d] === true));
  let levels = 1;
  for (; largest > SMALLEST && levels < MAX_LEVELS; levels++) largest = Math.ceil(largest / 2);
  return levels;
}

/** Half the resolution of an array. */
function coarserOf(slice: LazySlice, { shrinks, method }: Layer): LazySlice {
  const to = slice.dims.flatMap(({ size }, d) =>
    shrinks[d] === true && size > 1 ? [{ dim: String(d), size: Math.ceil(size / 2) }] : [],
  );
  if (to.length === 0) return slice;
  try {
    return coarsenSlice(slice, { to, ...(method === undefined ? {} : { method }) });
  } catch (error) {
    throw isZarrError(error, 'UNSUPPORTED') ? error.withContext(slice.where) : error;
  }
}

function levelPath(root: string, level: number, name: string, convention: PyramidConvention): string {
  const group = childOf(root, String(level));
  return convention === 'ome' ? group : childOf(group, name);
}

function childOf(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}
