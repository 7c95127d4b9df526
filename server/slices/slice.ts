/**
 * A part of an array: a selection and, optionally, a field. Immutable: `select` and `field` return new slices.
 * Only the asynchronous methods access the store.
 */
import { dataTypeName, isFixedSize, chargedItemBytes } from '../core/dtype/data-type.js';
import { sizeOf } from '../core/bytes/shape.js';
import { SelectionError, withContext, type WriteReport } from '../core/errors.js';
import {
  fieldOf,
  fieldShape,
  selectWithin,
  wholeElement,
  type FieldView,
} from '../format/plan/field-view.js';
import type { ArraySlice, LazySlice, SliceDim, SlicedArray, SliceOrigin } from './lazy-slice.js';
import { exceededLimits, writeCost, readCost, type PlanCost } from '../format/plan/cost.js';
import { objectVersions, type ObjectVersions, type VersionOptions } from '../chunks/read/object-versions.js';
import { planRead } from '../format/plan/plan.js';
import { foldStored, readSlice } from './read-slice.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { resolveSelection } from '../format/selection/resolve.js';
import {
  type ResolvedDim,
  type ResolvedSelection,
  composeSelections,
  selectedShape,
} from '../format/selection/selection.js';
import { streamSlice } from './stream-slice.js';
import { writeRegion, type SliceWriteOptions } from '../chunks/write/write-region.js';

export function createSlice(array: SlicedArray, selection: ResolvedSelection, field?: FieldView): ArraySlice {
  const outer = selectedShape(selection);
  const shape = field === undefined ? outer : [...outer, ...fieldShape(field)];
  const origin: SliceOrigin = {
    dimensionNames: array.dimensionNames,
    shape: array.meta.shape,
    chunkShape: array.chunkShape,
    selection,
  };
  const dims = dimsOfOrigin(origin);
  if (field !== undefined) dims.push(...fieldDims(field));
  const dtype = field?.dtype ?? array.meta.dtype;
  let planned: PlanCost | undefined;
  const cost = (): PlanCost => (planned ??= sliceCost(array, selection, field));
  const inputs: ArraySlice[] = [];
  const slice: ArraySlice = {
    where: { store: array.context.store.label, path: array.path },
    inputs,
    origin,
    array,
    dtype,
    dtypeName: field === undefined ? array.meta.dtypeName : dataTypeName(field.dtype),
    shape,
    dims,
    takesOut: isFixedSize(dtype),
    get elements() {
      return field === undefined ? { stored: slice, transform: undefined } : undefined;
    },
    selection,
    select: (inner) => selectWithinSlice(array, selection, field, dims, inner),
    field: (name) => createSlice(array, selection, fieldOf(field ?? wholeElement(dtype), name)),
    cost,
    writeCost: () => writeCost(array.geometry, array.meta.dtype, selection),
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) => readSlice(array, selection, field, options),
    fold: (fold, options = {}) => foldStored(slice, field, fold, options),
    stream: (options) => streamSlice(slice, options),
    objectVersions: (options = {}) => versionsOf(array, selection, options),
    write: (values, options = {}) => writeSlice(array, selection, field, values, options),
  };
  inputs.push(slice);
  return slice;
}

/** Whether the values are stored, so that they can be written. */
export function isStored(slice: LazySlice): slice is ArraySlice {
  return slice.inputs.length === 1 && slice.inputs[0] === slice;
}

/** The dimensions that the selection of an origin keeps, in order. */
export function dimsOfOrigin({ selection, dimensionNames, shape, chunkShape }: SliceOrigin): SliceDim[] {
  if (selection.kind === 'points')
    return selection.dropped
      ? []
      : [{ name: null, size: selection.count, chunkSize: undefined, start: undefined, step: undefined }];
  const dims: SliceDim[] = [];
  for (const [d, dim] of selection.dims.entries()) {
    if (dim.dropped) continue;
    const isWhole = dim.kind === 'range' && dim.step === 1 && dim.count === shape[d];
    const chunkSize = isWhole ? chunkShape[d] : undefined;
    dims.push({ name: dimensionNames[d] ?? null, chunkSize, ...extentOf(dim) });
  }
  return dims;
}

function fieldDims({ selected }: FieldView): SliceDim[] {
  return selected.flatMap((dim) =>
    dim.dropped ? [] : [{ name: null, chunkSize: undefined, ...extentOf(dim) }],
  );
}

function extentOf(dim: ResolvedDim): Pick<SliceDim, 'size' | 'start' | 'step'> {
  return dim.kind === 'range'
    ? { size: dim.count, start: dim.start, step: dim.step }
    : { size: dim.at.length, start: undefined, step: undefined };
}

function selectWithinSlice(
  array: SlicedArray,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  dims: readonly SliceDim[],
  inner: SelectionInput,
): ArraySlice {
  const resolved = resolveSelection(inner, dims);
  const outerRank = selectedShape(selection).length;
  if (field === undefined || dims.length === outerRank)
    return createSlice(array, composeSelections(selection, resolved), field);
  if (resolved.kind === 'points')
    throw new SelectionError(
      'points cannot be selected along the dimensions of a sub-array field; select the points before the field',
    );
  const onArray: ResolvedSelection = { kind: 'box', dims: resolved.dims.slice(0, outerRank) };
  return createSlice(
    array,
    composeSelections(selection, onArray),
    selectWithin(field, resolved.dims.slice(outerRank)),
  );
}

function sliceCost(array: SlicedArray, selection: ResolvedSelection, field: FieldView | undefined): PlanCost {
  const cost = readCost(array.geometry, array.meta.dtype, selection);
  if (field === undefined) return cost;
  const count = sizeOf(selectedShape(selection)) * sizeOf(fieldShape(field));
  return {
    ...cost,
    outputBytes: count * field.dtype.itemSize,
    allocatedBytes: Math.max(cost.allocatedBytes, count * chargedItemBytes(field.dtype)),
  };
}

async function versionsOf(
  array: SlicedArray,
  selection: ResolvedSelection,
  options: VersionOptions,
): Promise<ObjectVersions | undefined> {
  const { context, path } = array;
  try {
    const { layout, source } = array.source();
    return await objectVersions(
      planRead(layout, array.meta.dtype, selection),
      source,
      context.store,
      options,
    );
  } catch (error) {
    throw withContext(error, { store: context.store.label, path });
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
    throw withContext(error, { store: array.context.store.label, path: array.path });
  }
}
