/**
 * Converts elements of variable length between contents and values. The traits of the data type define the
 * interpretation of contents.
 */
import { defined } from '../../../wire/guards.js';
import { contentsAt, type Items, ItemStore, MISSING, sameByteRanges, contentBytes } from '../bytes/items.js';
import { type DataType, type Element, VARIABLE_ITEM_BYTES } from './data-type.js';
import { variableTraitsOf } from './families.js';
import { runToEnd } from '../turns.js';

/** The value of element i; null if it is missing. */
export function itemAt(items: Items, i: number, dtype: DataType): unknown {
  const contents = contentsAt(items, i);
  return contents === null ? null : itemOfContents(contents, dtype);
}

export function itemOfContents(contents: Uint8Array, dtype: DataType): unknown {
  return dtype.itemSize === null ? variableTraitsOf(dtype).valueOf(contents) : contents;
}

/** @throws InputError for a value of another type */
export function itemsOfValues(values: ArrayLike<unknown>, dtype: DataType): Items {
  return runToEnd(itemsInSteps(values, dtype));
}

/** Number of values converted between two yields. */
const STEP = 4096;

/** Like `itemsOfValues`; yields after every few thousand values. */
export function* itemsInSteps(values: ArrayLike<unknown>, dtype: DataType): Generator<void, ItemStore, void> {
  const items = new ItemStore(values.length);
  if (dtype.itemSize !== null) return items;
  const traits = variableTraitsOf(dtype);
  for (let i = 0; i < values.length; i++) {
    items.set(i, traits.contentsOf(values[i]));
    if (i % STEP === STEP - 1) yield;
  }
  return items;
}

const blockElements = new WeakMap<Element, { readonly items: Items }>();

/** Converts an element to the form of a block. */
export function asValues(
  element: Element,
  dtype: DataType,
): { readonly bytes: Uint8Array } | { readonly items: Items } {
  if ('bytes' in element) return element;
  const known = blockElements.get(element);
  if (known !== undefined) return known;
  const values = { items: itemsOfValues([element.item], dtype) };
  blockElements.set(element, values);
  return values;
}

/** Whether element i of `items` equals the first element of `other`. */
export function isSameItem(
  items: Items,
  i: number,
  other: Items,
  dtype: DataType,
  same: (a: unknown, b: unknown) => boolean,
): boolean {
  const [length, wanted] = [defined(items.lengths[i]), defined(other.lengths[0])];
  const isAlike =
    length === wanted &&
    (length === MISSING ||
      sameByteRanges(items.bytes, defined(items.starts[i]), other.bytes, defined(other.starts[0]), length));
  if (isAlike || dtype.itemSize !== null) return isAlike;
  return variableTraitsOf(dtype).comparesValues && same(itemAt(items, i, dtype), itemAt(other, 0, dtype));
}

/** Size of elements in the output: shared contents count for each element. */
export function itemBytes(items: Items): number {
  return items.lengths.length * VARIABLE_ITEM_BYTES + contentBytes(items);
}

/** Size of elements in memory: shared contents count only once. */
export function heldBytes({ starts, lengths, bytes }: Items): number {
  return starts.byteLength + lengths.byteLength + bytes.length;
}
