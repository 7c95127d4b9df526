/** Reads and folds a part of an array: combines the array's plan, source and settings. */
import type { Values } from '../core/bytes/values.js';
import { loadCodecs } from '../format/codec/run-chain.js';
import { asValues } from '../core/dtype/item-values.js';
import { UnsupportedError, isZarrError, withContext } from '../core/errors.js';
import { copyOfField, type FieldView } from '../format/plan/field-view.js';
import { foldCost } from './fold-slice.js';
import type { ArraySlice, StoredFoldOptions } from './lazy-slice.js';
import type { ChunkSource, ReadSettings } from '../chunks/read/chunk-read.js';
import { planRead, type ReadPlan } from '../format/plan/plan.js';
import { poolFor } from '../threads/shared-pool.js';
import { reduceValues } from '../chunks/read/read.js';
import { droppedAxis, mappedAxes, type MappedAxis } from '../compute/axis-map.js';
import { onAxes } from '../compute/cells.js';
import type { Fold } from '../compute/reduce/fold.js';
import type { ReduceSpec } from '../compute/reduce/partial.js';
import { widen } from '../compute/number-planes.js';
import type { ElementRegion } from '../format/plan/region.js';
import { placedFill } from '../threads/place-sink.js';
import type { ReduceFill } from '../chunks/read/reduce-sink.js';
import type { ResolvedSelection } from '../format/selection/selection.js';

/**
 * Plans a read of a slice, and runs it with the settings of its array. Checks afterwards that the array still exists.
 * @throws errors from `run`, with the location of the array
 */
export async function runOnArray<R>(
  { array, selection, where }: ArraySlice,
  options: StoredFoldOptions,
  run: (plan: ReadPlan, source: ChunkSource, settings: ReadSettings) => Promise<R>,
): Promise<R> {
  const { context, path, confirmMissing, confirmCurrent } = array;
  const store = context.store.label;
  try {
    const { layout, source } = array.source();
    const plan = planRead(layout, array.meta.dtype, selection, options.transform);
    const loading = loadCodecs(array.meta.chain);
    if (loading !== undefined) await loading;
    const decodesHere = options.decodesHere ?? context.decoding.here;
    const pool =
      plan.cost.chunks > 1 || decodesHere === false
        ? poolFor(
            context.decoding,
            plan.layout.chain,
            plan.cost.decodedBytes,
            decodesHere === false ? Infinity : plan.cost.chunkBytes,
          )
        : undefined;
    let isMissing = false;
    const onVersion = (key: string, version: string | undefined): void => {
      isMissing ||= version === undefined;
      options.onVersion?.({ store, path, key }, version);
    };
    const result = await run(plan, source, {
      limits: options.limits ?? context.limits,
      signal: options.signal,
      metrics: context.metrics,
      pool,
      decodesHere: (pool === undefined ? context.decoding.here : decodesHere) ?? true,
      cache: options.keepChunks === false ? undefined : context.chunkCache,
      onVersion: confirmMissing === undefined && options.onVersion === undefined ? undefined : onVersion,
    });
    if (isMissing) await confirmMissing?.(options.signal);
    await confirmCurrent?.({ signal: options.signal });
    return result;
  } catch (error) {
    // The chunks may belong to an array that has replaced this one.
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH'))
      await confirmCurrent?.({ signal: options.signal, fresh: true });
    throw withContext(error, where);
  }
}

/** Folds a part of an array. Options and errors are those of `ArraySlice.fold`. */
export function foldStored<T>(
  slice: ArraySlice,
  field: FieldView | undefined,
  fold: Fold<T>,
  options: StoredFoldOptions,
): Promise<T> {
  const { selection, shape } = slice;
  return runOnArray(slice, options, async (plan, source, settings) => {
    const { transform } = plan;
    if (field !== undefined && transform !== undefined)
      throw new UnsupportedError('the elements of a field cannot be transformed');
    const stored = field?.dtype ?? plan.dtype;
    if (transform !== undefined && transform.sourceBytes !== stored.itemSize)
      throw new UnsupportedError(`the transform does not apply to values of type ${stored.name}`);
    const spec: ReduceSpec = {
      reducer: fold.reducer,
      dtype: transform?.dtype ?? stored,
      transform,
      itemSize: stored.itemSize,
      axes: plan.layout.axes,
      part: field === undefined ? undefined : partOf(field),
    };
    const cells = fold.cells === undefined ? undefined : onAxes(fold.cells, axesOfResult(selection, shape));
    const fill = (): ReduceFill => {
      if (field === undefined) {
        const element = copied(placedFill(source.fill, plan));
        // Closed forms do not apply if equal elements have different masks or weights.
        if (cells === undefined || widen({ values: element, count: 1 }, spec.dtype).hasMissing)
          return { element };
      }
      // The elements of a sub-array may differ, so an absent chunk is reduced like a stored one.
      return { chunk: copied(asValues(source.fill, plan.dtype)) };
    };
    const axes = taskAxes(selection, mappedAxes(fold.maps, shape));
    // The merged result counts as intermediate memory, because callers check the size of results.
    const cost = foldCost(slice, fold, 0);
    return reduceValues(
      plan,
      cost,
      source,
      settings,
      { spec, axes, cells, createTotal: () => fold.createTotal() },
      fill,
    );
  });
}

function partOf(field: FieldView): ElementRegion {
  const { start, dims } = copyOfField(field, []);
  return { from: start, dims };
}

/** Maps the dimensions of a task, which include those dropped from the slice. */
function taskAxes(selection: ResolvedSelection, axes: readonly MappedAxis[]): MappedAxis[] {
  if (selection.kind === 'points') return selection.dropped ? [droppedAxis, ...axes] : [...axes];
  const left = [...axes];
  const outer = selection.dims.map((dim) => (dim.dropped ? droppedAxis : (left.shift() ?? droppedAxis)));
  return [...outer, ...left];
}

/** The axis of a task for each dimension of the slice; see `taskAxes`. */
function axesOfResult(selection: ResolvedSelection, shape: readonly number[]): number[] {
  if (selection.kind === 'points') return [...shape.keys()].map((d) => (selection.dropped ? d + 1 : d));
  const kept = selection.dims.flatMap((dim, axis) => (dim.dropped ? [] : [axis]));
  return [...shape.keys()].map((d) => kept[d] ?? selection.dims.length + d - kept.length);
}

/** Copies values to an aligned address, so that typed arrays can view the bytes. */
function copied(values: Values): Values {
  return 'bytes' in values ? { bytes: new Uint8Array(values.bytes) } : values;
}
