/**
 * A part of an array that has not been read: a selection, and a field where one was chosen. Immutable; every method
 * gives a new one, and only `read` asks the store for anything.
 */
import { sizeOf } from './bytes/shape.js';
import type { InnerChunkLayout } from './sharding/layout.js';
import { chargedItemBytes } from './dtype/charged-bytes.js';
import type { Block, DataType } from './dtype/data-type.js';
import { dataTypeName } from './dtype/names.js';
import { SelectionError, atPlace, type Excess, type Place, type WriteReport } from './errors.js';
import {
  extractField,
  fieldOf,
  fieldShape,
  selectWithin,
  wholeElement,
  type FieldView,
} from './field-view.js';
import type { Limits } from './limits.js';
import type { ArrayMeta } from './metadata/model.js';
import type { CallOptions, NodeHome } from './node-home.js';
import { exceededLimits } from './read/cost.js';
import type { ChunkSource } from './read/fetch.js';
import { readBlock, type ReadSettings } from './read/read.js';
import { readSharedChunk } from './read/shared-chunk.js';
import { objectVersions, type ObjectVersions } from './read/object-versions.js';
import { writeCost } from './read/cost-of-write.js';
import { planRead, readCost, type PlanCost } from './read/plan.js';
import { poolFor } from './read/pool/shared-pool.js';
import { composeSelections, countOf, selectedShape } from './selection/compose.js';
import { resolveSelection, type SelectableDim } from './selection/resolve.js';
import type { ResolvedSelection, Selection } from './selection/selection.js';
import { writeRegion, type SliceWriteOptions } from './write/write-region.js';

/** What a slice needs of its array. */
export interface SlicedArray {
  readonly home: NodeHome;
  readonly path: string;
  readonly meta: ArrayMeta;
  readonly dimensionNames: readonly (string | null)[];
  readonly chunkShape: readonly number[];
  readonly layout: InnerChunkLayout | undefined;
  source(): { readonly layout: InnerChunkLayout; readonly source: ChunkSource };
  /** See `ZarrArray`. */
  readonly confirmMissing?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** A dimension of a slice's result. */
export interface SliceDim {
  readonly name: string | null;
  readonly size: number;
  /** First position in the array, and the distance to the next; undefined for lists and points. */
  readonly start: number | undefined;
  readonly step: number | undefined;
}

export interface SliceReadOptions extends CallOptions {
  /** Instead of the hierarchy's. */
  readonly limits?: Limits;
  /** Where the values go (little-endian, C order), exactly as long as they are: saves the allocation. */
  readonly out?: Uint8Array;
  /** Whether decoded chunks are kept for other reads; no for what is read once and is large. @default true */
  readonly keepChunks?: boolean;
  /**
   * The reader will not change the values: then they may be the memory of the cache itself, for as long as nobody does.
   * @default false
   */
  readonly readOnly?: boolean;
  /** Is told of every stored object that something was read of, in which version; undefined: it is not there. */
  readonly onVersion?: (key: string, version: string | undefined) => void;
}

/** Values that can be priced and read, as they are stored or made of what is stored. */
export interface LazySlice {
  /** The array whose values they are, for messages. */
  readonly where: Place;
  /** The part of an array that they are made of; of a part as it is stored, itself. */
  readonly stored: ArraySlice;
  /** Of the field, where one was chosen. */
  readonly dtype: DataType;
  readonly dtypeName: string;
  /** Of the result; a sub-array field adds its dimensions at the end. */
  readonly shape: readonly number[];
  readonly dims: readonly SliceDim[];
  /** A part of this part. @throws SelectionError */
  select(selection: Selection): LazySlice;
  /** A field of a struct. @throws NotFoundError, SelectionError */
  field(name: string): LazySlice;
  /** What reading would take; pure. For an unsupported type or codec: what its chunks would take. */
  cost(): PlanCost;
  /** The limits that reading would pass, all of them. */
  exceeded(limits: Limits): readonly Excess[];
  /**
   * @throws LimitError before anything is read; UnsupportedError, CodecError, ChecksumError, ConflictError, store
   *   errors, AbortedError
   */
  read(options?: SliceReadOptions): Promise<Block>;
}

/** A part of an array as it is stored. */
export interface ArraySlice extends LazySlice {
  readonly array: SlicedArray;
  readonly selection: ResolvedSelection;
  /** What writing would take; pure. Shards are read and written whole. */
  writeCost(): PlanCost;
  select(selection: Selection): ArraySlice;
  field(name: string): ArraySlice;
  /**
   * The versions of the stored objects that reading would stand on, without reading them; undefined where the store does
   * not tell, or it would take too many requests.
   * @throws UnsupportedError, store errors, AbortedError
   */
  objectVersions(options?: CallOptions): Promise<ObjectVersions | undefined>;
  /**
   * Writes values, broadcast to this shape as NumPy does; where an index occurs twice, the later value wins.
   * @param values a block, nested lists, typed arrays or a bare value, of this type or one that casts to it without loss
   *   (see `blockOfValues`)
   * @throws ReadOnlyError, InputError, LimitError, UnsupportedError before anything is written; errors after that tell
   *   in `written` what had been done
   */
  write(values: unknown, options?: SliceWriteOptions): Promise<WriteReport>;
}

export function createSlice(array: SlicedArray, selection: ResolvedSelection, field?: FieldView): ArraySlice {
  const outer = selectedShape(selection);
  const shape = field === undefined ? outer : [...outer, ...fieldShape(field)];
  const dims = [...arrayDims(array, selection), ...fieldDims(field)];
  const dtype = field?.dtype ?? array.meta.dtype;
  let planned: PlanCost | undefined;
  const cost = (): PlanCost => (planned ??= sliceCost(array, selection, field));
  const slice: ArraySlice = {
    where: { store: array.home.store.label, path: array.path },
    get stored() {
      return slice;
    },
    array,
    dtype,
    dtypeName: field === undefined ? array.meta.dtypeName : dataTypeName(field.dtype),
    shape,
    dims,
    selection,
    select: (inner) => selectWithinSlice(array, selection, field, dims, inner),
    field: (name) => createSlice(array, selection, fieldOf(field ?? wholeElement(dtype), name)),
    cost,
    writeCost: () => writeCost(unitsOf(array), array.meta.dtype, selection),
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) => readSlice(array, selection, field, options),
    objectVersions: (options = {}) => versionsOf(array, selection, options),
    write: (values, options = {}) => writeSlice(array, selection, field, values, options),
  };
  return slice;
}

function arrayDims(array: SlicedArray, selection: ResolvedSelection): SliceDim[] {
  if (selection.kind === 'points')
    return selection.dropped
      ? []
      : [{ name: null, size: selection.count, start: undefined, step: undefined }];
  return selection.dims.flatMap((dim, d) => {
    if (dim.dropped) return [];
    const place =
      dim.kind === 'range' ? { start: dim.start, step: dim.step } : { start: undefined, step: undefined };
    return [{ name: array.dimensionNames[d] ?? null, size: countOf(dim), ...place }];
  });
}

function fieldDims(field: FieldView | undefined): SliceDim[] {
  return (field?.selected ?? []).flatMap((dim) => {
    if (dim.dropped) return [];
    const place =
      dim.kind === 'range' ? { start: dim.start, step: dim.step } : { start: undefined, step: undefined };
    return [{ name: null, size: countOf(dim), ...place }];
  });
}

function selectWithinSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  dims: readonly SliceDim[],
  inner: Selection,
): ArraySlice {
  const chunks = selectedChunks(array, selection);
  const selectable = dims.map(({ name, size }, d): SelectableDim => ({ name, size, chunkSize: chunks[d] }));
  const resolved = resolveSelection(inner, selectable);
  const outerRank = selectedShape(selection).length;
  if (field === undefined || dims.length === outerRank)
    return createSlice(array, composeSelections(selection, resolved), field);
  if (resolved.kind === 'points')
    throw new SelectionError(
      'points cannot be chosen across the dimensions of a sub-array field; choose them first',
    );
  const onArray: ResolvedSelection = { kind: 'box', dims: resolved.dims.slice(0, outerRank) };
  return createSlice(
    array,
    composeSelections(selection, onArray),
    selectWithin(field, resolved.dims.slice(outerRank)),
  );
}

/** Lengths of the chunks along each dimension of a result: only one that was taken whole still has them. */
function selectedChunks(array: SlicedArray, selection: ResolvedSelection): (number | undefined)[] {
  if (selection.kind === 'points') return [];
  return selection.dims.flatMap((dim, d) => {
    if (dim.dropped) return [];
    const whole = dim.kind === 'range' && dim.step === 1 && dim.count === array.meta.shape[d];
    return [whole ? array.chunkShape[d] : undefined];
  });
}

function sliceCost(array: SlicedArray, selection: ResolvedSelection, field: FieldView | undefined): PlanCost {
  const cost = readCost(unitsOf(array), array.meta.dtype, selection);
  if (field === undefined) return cost;
  const count = sizeOf(selectedShape(selection)) * sizeOf(fieldShape(field));
  return {
    ...cost,
    outputBytes: count * field.dtype.itemSize,
    allocatedBytes: Math.max(cost.allocatedBytes, count * chargedItemBytes(field.dtype)),
  };
}

/** An array that cannot be decoded still has a grid: what a read would take is known, only not how to do it. */
function unitsOf(array: SlicedArray): InnerChunkLayout | Pick<InnerChunkLayout, 'grid' | 'levels'> {
  return array.layout ?? { grid: array.meta.grid, levels: [] };
}

async function readSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  options: SliceReadOptions,
): Promise<Block> {
  const { home, path } = array;
  try {
    const { layout, source } = array.source();
    const plan = planRead(layout, array.meta.dtype, selection);
    const { confirmMissing } = array;
    let isMissing = false;
    const onVersion = (key: string, version: string | undefined): void => {
      isMissing ||= version === undefined;
      options.onVersion?.(key, version);
    };
    const settings: ReadSettings = {
      limits: options.limits ?? home.limits,
      signal: options.signal,
      metrics: home.metrics,
      pool:
        plan.cost.chunks > 1 || home.decoding.here === false
          ? poolFor(home.decoding, plan.layout.chain, plan.cost.decodedBytes)
          : undefined,
      decodesHere: home.decoding.here,
      cache: options.keepChunks === false ? undefined : home.chunkCache,
      onVersion: confirmMissing === undefined ? options.onVersion : onVersion,
    };
    const shared =
      options.readOnly === true && options.out === undefined
        ? await readSharedChunk(plan, source, settings)
        : undefined;
    const out = field === undefined ? options.out : undefined;
    const block = shared ?? (await readBlock(plan, source, settings, out));
    if (isMissing) await confirmMissing?.(options.signal);
    return field === undefined ? block : extractField(block, field, options.out);
  } catch (error) {
    throw atPlace(error, { store: home.store.label, path });
  }
}

async function versionsOf(
  array: SlicedArray,
  selection: ResolvedSelection,
  options: CallOptions,
): Promise<ObjectVersions | undefined> {
  const { home, path } = array;
  try {
    const { layout, source } = array.source();
    return await objectVersions(planRead(layout, array.meta.dtype, selection), source, home.store, options);
  } catch (error) {
    throw atPlace(error, { store: home.store.label, path });
  }
}

async function writeSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  values: unknown,
  options: SliceWriteOptions,
): Promise<WriteReport> {
  try {
    return await writeRegion(array, selection, field, values, options);
  } catch (error) {
    throw atPlace(error, { store: array.home.store.label, path: array.path });
  }
}
