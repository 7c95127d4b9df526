/** Creates NDArrays from lists with one item per value. */
import type { ParsedType } from './data-type.js';
import { createFromBytes } from './from-bytes.js';
import { createVariable } from './from-lists.js';
import { createFromTexts } from './from-texts.js';
import type { ValueLayout } from './layout.js';
import { packMasked } from './masked.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';

export interface ItemList {
  readonly type: ParsedType;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** In C order; null for a missing value. */
  readonly items: readonly unknown[];
  readonly coordinates: Coordinates | undefined;
}

/**
 * @param parseNumber converts items of numeric types
 * @throws TransportError BAD_RESPONSE for an item that is not of the type, and for complex numbers and structs
 */
export function createFromItems(
  { type, ...list }: ItemList,
  parseNumber: (layout: ValueLayout, item: unknown) => unknown = (_, item) => item,
): AnyNDArray {
  const { layout } = type;
  if (layout === undefined) return createVariable({ ...list, name: type.variable });
  const block = { ...list, layout };
  return (
    createFromTexts(block) ??
    createFromBytes({
      ...block,
      ...packMasked(
        layout,
        list.items.map((item) => parseNumber(layout, item)),
      ),
    })
  );
}
