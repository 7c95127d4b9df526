/** Reads and reductions of a part of an array: the array's plan, source and settings put together. */
import type { Values } from './bytes/values.js';
import type { Block } from './dtype/data-type.js';
import { asValues } from './dtype/item-values.js';
import { UnsupportedError, atPlace } from './errors.js';
import { copyOfField, extractField, type FieldView } from './field-view.js';
import type {
  SliceReduceOptions,
  SlicedArray,
  StoredReadOptions,
  StoredReduceOptions,
} from './lazy-slice.js';
import type { ChunkSource } from './read/fetch.js';
import { planRead, type ReadPlan } from './read/plan.js';
import { poolFor } from './read/pool/shared-pool.js';
import { readBlock, reduceValues, type ReadSettings } from './read/read.js';
import { readSharedChunk } from './read/shared-chunk.js';
import type { ReduceSpec, Role } from './read/reduce/partial.js';
import type { ReduceRequest } from './read/reduce/reduction.js';
import { resolveReduce, type ReducedDim } from './read/reduce/resolve.js';
import type { ElementRegion } from './read/region.js';
import { placedFill } from './read/sinks/placement.js';
import type { ReduceFill } from './read/sinks/reduce.js';
import type { ResolvedSelection } from './selection/selection.js';

async function runOnArray<R>(
  array: SlicedArray,
  selection: ResolvedSelection,
  { transform, ...options }: SliceReduceOptions & Pick<StoredReadOptions, 'transform'>,
  run: (plan: ReadPlan, source: ChunkSource, settings: ReadSettings) => Promise<R>,
): Promise<R> {
  const { home, path } = array;
  try {
    const { layout, source } = array.source();
    const plan = planRead(layout, array.meta.dtype, selection, transform);
    const { confirmMissing } = array;
    const store = home.store.label;
    let isMissing = false;
    const onVersion = (key: string, version: string | undefined): void => {
      isMissing ||= version === undefined;
      options.onVersion?.({ store, path, key }, version);
    };
    const result = await run(plan, source, {
      limits: options.limits ?? home.limits,
      signal: options.signal,
      metrics: home.metrics,
      pool:
        plan.cost.chunks > 1 || home.decoding.here === false
          ? poolFor(home.decoding, plan.layout.chain, plan.cost.decodedBytes)
          : undefined,
      decodesHere: home.decoding.here,
      cache: options.keepChunks === false ? undefined : home.chunkCache,
      onVersion: confirmMissing === undefined && options.onVersion === undefined ? undefined : onVersion,
    });
    if (isMissing) await confirmMissing?.(options.signal);
    return result;
  } catch (error) {
    throw atPlace(error, { store: home.store.label, path });
  }
}

/** See `LazySlice.read`. */
export function readSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  options: StoredReadOptions,
): Promise<Block> {
  return runOnArray(array, selection, options, async (plan, source, settings) => {
    if (field !== undefined && plan.transform !== undefined)
      throw new UnsupportedError('the elements of a field cannot be transformed');
    const shared =
      options.readOnly === true && options.out === undefined
        ? await readSharedChunk(plan, source, settings)
        : undefined;
    const out = field === undefined ? options.out : undefined;
    const block = shared ?? (await readBlock(plan, source, settings, out));
    return field === undefined ? block : extractField(block, field, options.out);
  });
}

/** See `ArraySlice.reduce`. */
export function reduceSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  dims: readonly ReducedDim[],
  request: ReduceRequest,
  options: StoredReduceOptions,
): Promise<Block> {
  return runOnArray(array, selection, options, async (plan, source, settings) => {
    const { transform } = plan;
    if (field !== undefined && transform !== undefined)
      throw new UnsupportedError('the elements of a field cannot be transformed');
    const stored = field?.dtype ?? plan.dtype;
    if (transform !== undefined && transform.sourceBytes !== stored.itemSize)
      throw new UnsupportedError(`the transform is not one of values of the type ${stored.name}`);
    const dtype = transform?.dtype ?? stored;
    const resolved = resolveReduce(request, dims, dtype);
    const { by, skipMissing } = resolved;
    const spec: ReduceSpec = {
      by,
      skipMissing,
      dtype,
      transform,
      itemSize: stored.itemSize,
      axes: plan.layout.axes,
      part: field === undefined ? undefined : partOf(field),
      roles: taskRoles(selection, resolved.roles),
    };
    // Elements of a sub-array differ: they are read as if the chunk were there.
    const fill = (): ReduceFill =>
      field === undefined
        ? { one: copied(placedFill(source.fill, plan).values()) }
        : { chunk: copied(asValues(source.fill, plan.dtype)) };
    return reduceValues(plan, source, settings, spec, resolved, fill);
  });
}

function partOf(field: FieldView): ElementRegion {
  const { start, dims } = copyOfField(field, []);
  return { from: start, dims };
}

/** Of the dimensions of a task, among which are those that the result has not. */
function taskRoles(selection: ResolvedSelection, roles: readonly Role[]): Role[] {
  const dropped: Role = { isKept: false, positionStride: 0 };
  if (selection.kind === 'points') return selection.dropped ? [dropped, ...roles] : [...roles];
  const left = [...roles];
  const outer = selection.dims.map((dim) => (dim.dropped ? dropped : (left.shift() ?? dropped)));
  return [...outer, ...left];
}

/** At an address of its own, so that typed arrays can view it. */
function copied(values: Values): Values {
  return 'bytes' in values ? { bytes: new Uint8Array(values.bytes) } : values;
}
