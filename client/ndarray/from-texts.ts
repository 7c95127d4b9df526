/** Creates NDArrays of text and byte strings of a fixed length from lists. */
import { isFixedBytesName } from '../../wire/data-types.js';
import { createDense } from './dense.js';
import { objectsOf } from './layout.js';
import type { ValueLayout } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { assertPackable } from './pack.js';
import { fixedRows } from './wire-rows.js';

export interface TextBlock {
  readonly layout: ValueLayout;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** Text or byte strings in C order; null for a missing value. */
  readonly items: readonly unknown[];
  readonly coordinates?: Coordinates | undefined;
}

/** @returns undefined for other types. @throws TransportError BAD_RESPONSE for an item that does not match the type */
export function createFromTexts({
  layout,
  shape,
  dimensions,
  items,
  coordinates,
}: TextBlock): AnyNDArray | undefined {
  const { name, itemSize } = layout;
  if (objectsOf(layout) > 0) assertPackable(items.length, itemSize);
  if (!isFixedBytesName(name)) return undefined;
  return createDense({
    shape,
    dimensions,
    coordinates,
    dtype: name,
    ...fixedRows[name].fromItems(items, itemSize),
  });
}
