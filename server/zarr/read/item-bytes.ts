/** What values of variable length take in memory. */
import { contentBytes, type Items } from '../bytes/items.js';
import { VARIABLE_ITEM_BYTES } from '../dtype/charged-bytes.js';

/** What leaves: every element with its contents, those that share them each. */
export function itemBytes(items: Items): number {
  return items.lengths.length * VARIABLE_ITEM_BYTES + contentBytes(items);
}

/** What is held: shared contents count once. */
export function heldBytes({ starts, lengths, bytes }: Items): number {
  return starts.byteLength + lengths.byteLength + bytes.length;
}
