/** Creates NDArrays from the gateway's JSON form: nested lists, times as text. */
import { isNumberName, isTimeName } from '../../wire/data-types.js';
import type { ParsedType } from './data-type.js';
import { createFromItems } from './from-items.js';
import { flatten } from './from-lists.js';
import type { ValueLayout } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { numericRows } from './wire-rows.js';

export interface JsonBlock {
  readonly type: ParsedType;
  readonly shape: readonly number[];
  readonly values: unknown;
  readonly dimensions: readonly (string | null)[];
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE for values that do not match the type, and for complex numbers and structs */
export function createFromJson({
  type,
  shape,
  values,
  dimensions: names,
  coordinates,
}: JsonBlock): AnyNDArray {
  const dimensions = shape.map((_, d) => names[d] ?? null);
  return createFromItems({ type, shape, dimensions, items: flatten(values, shape), coordinates }, parseItem);
}

/** NaN, the infinities, 64-bit integers and times are text. */
function parseItem(layout: ValueLayout, item: unknown): unknown {
  const { name } = layout;
  const row = isNumberName(name) || isTimeName(name) ? numericRows[name] : undefined;
  if (row?.parseJson !== undefined) return row.parseJson(item, layout);
  if (typeof item !== 'string') return item;
  return /^-?\d{1,20}$/.test(item) ? BigInt(item) : Number(item);
}
