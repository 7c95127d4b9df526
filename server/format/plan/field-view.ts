/**
 * A field of a struct as a strided view into each element: nested fields and sub-array fields are equivalent
 * to one offset and a few dimensions. Only `extractField` copies values.
 */
import { quoted } from '../../core/bytes/parse-json.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { copyStrided, type CopyDim } from '../../core/bytes/strided-copy.js';
import { type Block, type DataType, type FixedSizeType, isFixedSize } from '../../core/dtype/data-type.js';
import { NotFoundError, SelectionError, UnsupportedError } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import { type ResolvedDim, type ResolvedSelection, selectedShape } from '../selection/selection.js';
import { composeSelections } from '../selection/compose.js';
import { destination } from '../../core/bytes/values.js';

export interface FieldView {
  /** Offset in bytes from the start of an array element. */
  readonly offset: number;
  readonly dtype: FixedSizeType;
  /** Sizes and byte strides of the dimensions that sub-array fields add. */
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** The selection along these dimensions. */
  readonly selected: readonly ResolvedDim[];
}

/** The view of the whole element. @throws UnsupportedError for a data type of variable size */
export function wholeElement(dtype: DataType): FieldView {
  if (!isFixedSize(dtype)) throw new UnsupportedError(`data type ${dtype.name} has no fields`);
  return { offset: 0, dtype, shape: [], strides: [], selected: [] };
}

/**
 * @throws SelectionError if the data type is not a struct; NotFoundError with the nearest names; UnsupportedError for a
 * field of variable size
 */
export function fieldOf(view: FieldView, name: string): FieldView {
  if (view.dtype.name !== 'struct')
    throw new SelectionError(`data type ${view.dtype.name} has no fields; only structs do`);
  const field = view.dtype.fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const names = view.dtype.fields.map((candidate) => candidate.name);
    const near = nearest(name, names);
    const which = near.length < names.length ? 'nearest fields' : 'fields';
    throw new NotFoundError(
      `unknown field ${quoted(name)}; the ${which} are ${near.map((n) => `"${n}"`).join(', ')}`,
    );
  }
  if (!isFixedSize(field.dtype)) throw new UnsupportedError(`field "${name}" has no fixed size`);
  return {
    offset: view.offset + field.offset,
    dtype: field.dtype,
    shape: [...view.shape, ...field.shape],
    strides: [...view.strides, ...stridesOf(field.shape, field.dtype.itemSize)],
    selected: [
      ...view.selected,
      ...field.shape.map((count): ResolvedDim => ({
        kind: 'range',
        start: 0,
        step: 1,
        count,
        dropped: false,
      })),
    ],
  };
}

/** The shape of the view, without dropped dimensions. */
export function fieldShape(view: FieldView): number[] {
  return selectedShape({ kind: 'box', dims: view.selected });
}

/** @param dims selection that has been resolved against `fieldShape(view)` */
export function selectWithin(view: FieldView, dims: readonly ResolvedDim[]): FieldView {
  const outer: ResolvedSelection = { kind: 'box', dims: view.selected };
  const composed = composeSelections(outer, { kind: 'box', dims });
  return composed.kind === 'box' ? { ...view, selected: composed.dims } : view;
}

/**
 * Extracts the field's values from a block of whole elements.
 * @param out destination with exactly the size of the values
 */
export function extractField(block: Block, view: FieldView, out?: Uint8Array): Block {
  if (!('bytes' in block)) throw new UnsupportedError('values of variable length have no fields');
  const inner = fieldShape(view);
  const count = sizeOf(block.shape);
  const itemSize = view.dtype.itemSize;
  const perElement = sizeOf(inner) * itemSize;
  const bytes = destination(out, count * perElement);
  const strides = stridesOf(inner, itemSize);
  const elements: CopyDim = { count, from: block.dtype.itemSize, to: perElement };
  const field = copyOfField(view, strides);
  copyStrided(block.bytes, field.start, bytes, 0, [elements, ...field.dims], itemSize);
  return { dtype: view.dtype, shape: [...block.shape, ...inner], bytes };
}

/**
 * The part of one element that the view covers, as a copy.
 * @param strides strides of the destination, one for each dimension of `fieldShape(view)`
 * @returns the start in the element, and the dimensions
 */
export function copyOfField(
  view: FieldView,
  strides: readonly number[],
): { readonly start: number; readonly dims: readonly CopyDim[] } {
  let [start, kept] = [view.offset, 0];
  const dims: CopyDim[] = [];
  view.selected.forEach((dim, d) => {
    const stride = view.strides[d];
    if (dim.kind === 'range') start += dim.start * stride;
    if (dim.dropped) return;
    const to = strides[kept++];
    if (dim.kind === 'range') dims.push({ count: dim.count, from: dim.step * stride, to });
    else dims.push({ count: dim.at.length, from: 0, to, fromAt: dim.at.map((i) => i * stride) });
  });
  return { start, dims };
}
