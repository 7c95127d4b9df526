/** Reads and reductions of a part of an array: the array's plan, source and settings put together. */
import { sizeOf } from './bytes/shape.js';
import { isFixedSize, type Block } from './dtype/data-type.js';
import { asValues } from './dtype/item-values.js';
import { UnsupportedError, atPlace } from './errors.js';
import { copyOfField, extractField, fieldShape, type FieldView } from './field-view.js';
import type { SliceReduceOptions, SlicedArray, StoredReadOptions } from './lazy-slice.js';
import { readNsPerByte } from './read/direct/choose.js';
import type { ChunkSource } from './read/fetch.js';
import { planRead, type ReadPlan } from './read/plan.js';
import { poolFor } from './read/pool/shared-pool.js';
import { readBlock, reduceValues, type ReadSettings } from './read/read.js';
import { readSharedChunk } from './read/shared-chunk.js';
import type { Reducer, ReducerName, ResultOf } from './read/sinks/reducer.js';
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
          ? poolFor(
              home.decoding,
              plan.layout.chain,
              plan.cost.decodedBytes,
              source.store.locate === undefined ? 0 : readNsPerByte,
            )
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
export function reduceSlice<N extends ReducerName>(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  reducer: Reducer<N>,
  options: SliceReduceOptions,
): Promise<ResultOf<N>> {
  return runOnArray(array, selection, options, (plan, source, settings) => {
    const { axes } = plan.layout;
    if (field === undefined) {
      const values = asValues(source.fill, plan.dtype);
      // A copy, so that typed arrays can view it.
      const fill = { values: 'bytes' in values ? { bytes: values.bytes.slice() } : values, count: 1 };
      return reduceValues(plan, source, settings, { reducer, dtype: plan.dtype, axes }, fill);
    }
    const part = copyOfField(field, []);
    const spec = { reducer, dtype: field.dtype, axes, part: { from: part.start, dims: part.dims } };
    const count = sizeOf(fieldShape(field));
    return reduceValues(plan, source, settings, spec, { values: fillOfField(plan, source, field), count });
  });
}

/** The field's elements in one element that is not stored. */
function fillOfField(
  { dtype }: ReadPlan,
  { fill }: ChunkSource,
  field: FieldView,
): { readonly bytes: Uint8Array } {
  if (!isFixedSize(dtype) || !('bytes' in fill))
    throw new UnsupportedError('values of variable length have no fields');
  const block = extractField({ dtype, shape: [], bytes: fill.bytes }, field);
  return { bytes: 'bytes' in block ? block.bytes : new Uint8Array(0) };
}
