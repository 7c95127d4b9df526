/** Creates NDArrays from lists: one item per value, or nested as in the gateway's JSON. */
import { isFixedBytesName, isNumberName, isTimeName } from '../../wire/data-types.js';
import { TransportError } from '../errors.js';
import { isList } from '../json/json.js';
import type { ParsedType } from './data-type.js';
import { createDense } from './dense.js';
import { createFromBytes } from './from-bytes.js';
import { objectsOf, type ValueLayout, type VariableName } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { assertPackable } from './pack.js';
import { fixedRows, numericRow, variableRows } from './wire-rows.js';
import { packMasked } from './pack-missing.js';

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
 * @throws TransportError BAD_RESPONSE for an item that is not of the type, and for structs
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
      ...packMasked(layout, list.items, parseNumber),
    })
  );
}

interface TextBlock {
  readonly layout: ValueLayout;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** Text or byte strings in C order; null for a missing value. */
  readonly items: readonly unknown[];
  readonly coordinates?: Coordinates | undefined;
}

/** @returns undefined for other types. @throws TransportError BAD_RESPONSE for an item that does not match the type */
function createFromTexts({
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

export interface ListBlock {
  readonly name: VariableName;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** Lists nested by the shape; a bare value for the 0-d shape. */
  readonly values: unknown;
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE for lists that do not match the shape, or values that do not match the type */
export function createFromLists({ values, ...block }: ListBlock): AnyNDArray {
  return createVariable({ ...block, items: flatten(values, block.shape) });
}

interface ItemBlock extends Omit<ListBlock, 'values'> {
  /** One item per value in C order: text, bytes (or base64), or JSON. */
  readonly items: readonly unknown[];
}

/** @throws TransportError BAD_RESPONSE for an item that does not match the type */
function createVariable({ name, shape, dimensions, items, coordinates }: ItemBlock): AnyNDArray {
  return createDense({ shape, dimensions, coordinates, dtype: name, ...variableRows[name](items) });
}

/** Flattens nested lists. @throws TransportError BAD_RESPONSE for lists that do not match the shape */
function flatten(values: unknown, shape: readonly number[]): readonly unknown[] {
  let flat: readonly unknown[] = [values];
  for (const size of shape) {
    flat = flat.flatMap((list) => {
      if (isList(list) && list.length === size) return list;
      throw malformed(`lists of the shape ${JSON.stringify(shape)}`);
    });
  }
  return flat;
}

function malformed(expected: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed values in the response: expected ${expected}`);
}

export interface JsonBlock {
  readonly type: ParsedType;
  readonly shape: readonly number[];
  readonly values: unknown;
  readonly dimensions: readonly (string | null)[];
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE for values that do not match the type, and for structs */
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

/** Parses an item. NaN, the infinities, 64-bit integers and times are text in JSON. */
function parseItem(layout: ValueLayout, item: unknown): unknown {
  const { name } = layout;
  const row = isNumberName(name) || isTimeName(name) ? numericRow(name) : undefined;
  if (row?.parseJson !== undefined) return row.parseJson(item, layout);
  if (typeof item !== 'string') return item;
  return /^-?\d{1,20}$/.test(item) ? BigInt(item) : Number(item);
}
