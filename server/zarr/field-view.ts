/**
 * A field of a struct as a strided view into each element: fields within fields and sub-array fields are one offset
 * and a few dimensions. Pure but for the copy.
 */
import { sizeOf, stridesOf } from './bytes/shape.js';
import { copyStrided, type CopyDim } from './bytes/strided-copy.js';
import type { Block, DataType, FixedSizeType } from './dtype/data-type.js';
import { isFixedSize } from './dtype/data-type.js';
import { InputError, NotFoundError, SelectionError, UnsupportedError } from './errors.js';
import { nearest } from './selection/nearest.js';
import { composeSelections, selectedShape } from './selection/compose.js';
import type { ResolvedDim, ResolvedSelection } from './selection/selection.js';

export interface FieldView {
  /** Bytes from the beginning of an element of the array. */
  readonly offset: number;
  readonly dtype: FixedSizeType;
  /** The dimensions that sub-array fields add: their sizes, and bytes from one element to the next. */
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** What is selected of those dimensions. */
  readonly selected: readonly ResolvedDim[];
}

/** The whole element as a view, to begin with. @throws UnsupportedError */
export function wholeElement(dtype: DataType): FieldView {
  if (!isFixedSize(dtype)) throw new UnsupportedError(`the type ${dtype.name} has no fields`);
  return { offset: 0, dtype, shape: [], strides: [], selected: [] };
}

/** @throws SelectionError where the type is no struct, NotFoundError with the names that there are */
export function fieldOf(view: FieldView, name: string): FieldView {
  if (view.dtype.name !== 'struct')
    throw new SelectionError(`the type ${view.dtype.name} has no fields; only a struct has`);
  const field = view.dtype.fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const names = nearest(
      name,
      view.dtype.fields.map((candidate) => candidate.name),
    );
    throw new NotFoundError(
      `there is no field "${name}"; the fields are ${names.map((n) => `"${n}"`).join(', ')}`,
    );
  }
  if (!isFixedSize(field.dtype)) throw new UnsupportedError(`the field "${name}" has no fixed size`);
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

/** Sizes of the view's dimensions as far as they are kept. */
export function fieldShape(view: FieldView): number[] {
  return selectedShape({ kind: 'box', dims: view.selected });
}

/** @param dims resolved against `fieldShape(view)` */
export function selectWithin(view: FieldView, dims: readonly ResolvedDim[]): FieldView {
  const outer: ResolvedSelection = { kind: 'box', dims: view.selected };
  const composed = composeSelections(outer, { kind: 'box', dims });
  return composed.kind === 'box' ? { ...view, selected: composed.dims } : view;
}

/**
 * The field's values out of a block of whole elements.
 * @param out where they go, exactly as long as they are
 */
export function extractField(block: Block, view: FieldView, out?: Uint8Array): Block {
  if (!('bytes' in block)) throw new UnsupportedError('values of variable length have no fields');
  const inner = fieldShape(view);
  const count = sizeOf(block.shape);
  const itemSize = view.dtype.itemSize;
  const perElement = sizeOf(inner) * itemSize;
  const bytes = out ?? new Uint8Array(count * perElement);
  if (bytes.length !== count * perElement)
    throw new InputError(`"out" has ${bytes.length} bytes; the result takes ${count * perElement}`);
  const strides = stridesOf(inner, itemSize);
  const elements: CopyDim = { count, from: block.dtype.itemSize, to: perElement };
  const field = copyOfField(view, strides);
  copyStrided(block.bytes, field.start, bytes, 0, [elements, ...field.dims], itemSize);
  return { dtype: view.dtype, shape: [...block.shape, ...inner], bytes };
}

/**
 * What a view takes of one element, as a copy out of it.
 * @param strides of the other side, one for each dimension of `fieldShape(view)`
 * @returns where it begins in the element, and its dimensions
 */
export function copyOfField(
  view: FieldView,
  strides: readonly number[],
): { readonly start: number; readonly dims: readonly CopyDim[] } {
  let [start, kept] = [view.offset, 0];
  const dims: CopyDim[] = [];
  view.selected.forEach((dim, d) => {
    const stride = view.strides[d] ?? 0;
    if (dim.kind === 'range') start += dim.start * stride;
    if (dim.dropped) return;
    const to = strides[kept++] ?? 0;
    if (dim.kind === 'range') dims.push({ count: dim.count, from: dim.step * stride, to });
    else dims.push({ count: dim.at.length, from: 0, to, fromAt: dim.at.map((i) => i * stride) });
  });
  return { start, dims };
}
