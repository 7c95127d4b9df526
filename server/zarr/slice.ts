/**
 * A part of an array that has not been read: a selection, and a field where one was chosen. Immutable; every method
 * gives a new one, and only `read` asks the store for anything.
 */
import { sizeOf } from './bytes/shape.js';
import type { ReadUnits } from './chunk/units.js';
import type { Block, DataType } from './dtype/data-type.js';
import { dataTypeName } from './dtype/names.js';
import { SelectionError, atPlace, type Excess, type WriteReport } from './errors.js';
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
import { runPlan, type ChunkSource } from './read/execute.js';
import { planRead, readCost, type PlanCost } from './read/plan.js';
import { decoderFor } from './read/shared-decoder.js';
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
  readonly units: ReadUnits | undefined;
  source(): { readonly units: ReadUnits; readonly source: ChunkSource };
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
}

export interface ArraySlice {
  readonly array: SlicedArray;
  /** Of the field, where one was chosen. */
  readonly dtype: DataType;
  readonly dtypeName: string;
  /** Of the result; a sub-array field adds its dimensions at the end. */
  readonly shape: readonly number[];
  readonly dims: readonly SliceDim[];
  readonly selection: ResolvedSelection;
  /** A part of this part. @throws SelectionError */
  select(selection: Selection): ArraySlice;
  /** A field of a struct. @throws NotFoundError, SelectionError */
  field(name: string): ArraySlice;
  /** What reading would take; pure. For an unsupported type or codec: what its chunks would take. */
  cost(): PlanCost;
  /** The limits that reading would pass, all of them. */
  exceeded(limits: Limits): readonly Excess[];
  /**
   * @throws LimitError before anything is read; UnsupportedError, CodecError, ChecksumError, ConflictError, store
   *   errors, AbortedError
   */
  read(options?: SliceReadOptions): Promise<Block>;
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
  const cost = (): PlanCost => sliceCost(array, selection, field);
  return {
    array,
    dtype,
    dtypeName: field === undefined ? array.meta.dtypeName : dataTypeName(field.dtype),
    shape,
    dims,
    selection,
    select: (inner) => selectWithinSlice(array, selection, field, dims, inner),
    field: (name) => createSlice(array, selection, fieldOf(field ?? wholeElement(dtype), name)),
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) => readSlice(array, selection, field, options),
    write: (values, options = {}) => writeSlice(array, selection, field, values, options),
  };
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
  const selectable: SelectableDim[] = dims.map((dim) => ({
    name: dim.name,
    size: dim.size,
    chunkSize: undefined,
  }));
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

function sliceCost(array: SlicedArray, selection: ResolvedSelection, field: FieldView | undefined): PlanCost {
  // An array that cannot be decoded still has a grid: what a read would take is known, only not how to do it.
  const units = array.units ?? { grid: array.meta.grid, levels: [] };
  const cost = readCost(units, array.meta.dtype, selection);
  if (field === undefined) return cost;
  return {
    ...cost,
    outputBytes: sizeOf(selectedShape(selection)) * sizeOf(fieldShape(field)) * field.dtype.itemSize,
  };
}

async function readSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  options: SliceReadOptions,
): Promise<Block> {
  const { home, path } = array;
  try {
    const { units, source } = array.source();
    const plan = planRead(units, array.meta.dtype, selection);
    const block = await runPlan(plan, source, {
      limits: options.limits ?? home.limits,
      signal: options.signal,
      metrics: home.metrics,
      decoder:
        plan.cost.chunks > 1 || home.decoding.here === false
          ? decoderFor(home.decoding, plan.units.chain, plan.cost.decodedBytes)
          : undefined,
      decodesHere: home.decoding.here,
      cache: home.chunkCache,
      ...(field === undefined ? { out: options.out } : {}),
    });
    return field === undefined ? block : extractField(block, field, options.out);
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
