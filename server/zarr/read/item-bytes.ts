/** Memory of values of variable length. */
import { contentBytes, type Items } from '../bytes/items.js';
import { VARIABLE_ITEM_BYTES } from '../dtype/charged-bytes.js';

/** Size of the output: contents that elements share count once for each. */
export function itemBytes(items: Items): number {
  return items.lengths.length * VARIABLE_ITEM_BYTES + contentBytes(items);
}

/** Size in memory: shared contents count once. */
export function heldBytes({ starts, lengths, bytes }: Items): number {
  return starts.byteLength + lengths.byteLength + bytes.length;
}
