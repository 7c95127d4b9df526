/** Sizes of variable-length values. */
import { contentBytes, type Items } from '../bytes/items.js';
import { VARIABLE_ITEM_BYTES } from '../dtype/data-type.js';

/** Size in the output: shared contents count for each element. */
export function itemBytes(items: Items): number {
  return items.lengths.length * VARIABLE_ITEM_BYTES + contentBytes(items);
}

/** Size in memory: shared contents count only once. */
export function heldBytes({ starts, lengths, bytes }: Items): number {
  return starts.byteLength + lengths.byteLength + bytes.length;
}
