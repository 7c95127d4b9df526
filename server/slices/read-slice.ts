/** Reads and folds a part of an array: combines the array's plan, source and settings. */
import type { Values } from '../core/bytes/values.js';
import { loadCodecs } from '../format/codec/run-chain.js';
import type { Block } from '../core/dtype/data-type.js';
import { asValues } from '../core/dtype/item-values.js';
import { UnsupportedError, isZarrError, withContext } from '../core/errors.js';
import { copyOfField, extractField, type FieldView } from '../format/plan/field-view.js';
import { foldCost } from './fold-slice.js';
import type {
  ArraySlice,
  SlicedArray,
  SliceFoldOptions,
  StoredFoldOptions,
  StoredReadOptions,
} from './lazy-slice.js';
import type { ChunkSource, ReadSettings } from '../chunks/read/chunk-read.js';
import { planRead, type ReadPlan } from '../format/plan/plan.js';
import { poolFor } from '../threads/shared-pool.js';
import { readBlock, reduceValues, readSharedChunk } from '../chunks/read/read.js';
import { droppedAxis, mappedAxes, type MappedAxis } from '../compute/axis-map.js';
import { onAxes } from '../compute/cells.js';
import type { Fold } from '../compute/reduce/fold.js';
import type { ReduceSpec } from '../compute/reduce/partial.js';
import { widen } from '../compute/number-planes.js';
import type { ElementRegion } from '../format/plan/region.js';
import { placedFill } from '../threads/place-sink.js';
import type { ReduceFill } from '../chunks/read/reduce-sink.js';
import type { ResolvedSelection } from '../format/selection/selection.js';

async function runOnArray<R>(
  array: SlicedArray,
  selection: ResolvedSelection,
  { transform, ...options }: SliceFoldOptions & Pick<StoredReadOptions, 'transform'>,
  run: (plan: ReadPlan, source: ChunkSource, settings: ReadSettings) => Promise<R>,
): Promise<R> {
  const { context, path } = array;
  try {
    const { layout, source } = array.source();
    const plan = planRead(layout, array.meta.dtype, selection, transform);
    const { confirmMissing } = array;
    const store = context.store.label;
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
    await array.confirmCurrent?.({ signal: options.signal });
    return result;
  } catch (error) {
    // The chunks may belong to an array that has replaced this one.
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH'))
      await array.confirmCurrent?.({ signal: options.signal, fresh: true });
    throw withContext(error, { store: context.store.label, path });
  }
}

/** Reads a part of an array. Options and errors are those of `LazySlice.read`. */
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

/** Folds a part of an array. Options and errors are those of `ArraySlice.fold`. */
export function foldStored<T>(
  slice: ArraySlice,
  field: FieldView | undefined,
  fold: Fold<T>,
  options: StoredFoldOptions,
): Promise<T> {
  const { array, selection, shape } = slice;
  return runOnArray(array, selection, options, async (plan, source, settings) => {
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
