/** Converts JavaScript values to items of a data type of variable length. */
import { type Items, ItemStore } from '../bytes/items.js';
import type { RaggedType, VariableType } from './data-type.js';
import { variableTraitsOf } from './families.js';
import type { PlaceOf } from './pack-numbers.js';

/** @throws InputError naming the position of the value */
export function packItems(
  values: ArrayLike<unknown>,
  dtype: VariableType | RaggedType,
  place: PlaceOf,
): Items {
  const traits = variableTraitsOf(dtype);
  const items = new ItemStore(values.length);
  for (let i = 0; i < values.length; i++) items.set(i, traits.pack(values[i], place(i)));
  return items;
}
