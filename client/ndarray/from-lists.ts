/** Creates NDArrays of types of variable length. */
import { TransportError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import type { JsonValue } from '../json/json.js';
import { parseBase64 } from '../../wire/base64.js';
import { createDense } from './dense.js';
import type { VariableName } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';

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

export interface ItemBlock extends Omit<ListBlock, 'values'> {
  /** One item per value, in C order: text, bytes (or base64), or JSON. */
  readonly items: readonly unknown[];
}

/** @throws TransportError BAD_RESPONSE for an item that does not match the type */
export function createVariable({ name, shape, dimensions, items, coordinates }: ItemBlock): AnyNDArray {
  const base = { shape, dimensions, coordinates };
  switch (name) {
    case 'string': {
      const data = items.map(parseText);
      return createDense({ ...base, dtype: 'string', data, read: (place) => data[place] ?? null });
    }
    case 'variable_length_bytes': {
      const data = items.map(parseBytes);
      return createDense({
        ...base,
        dtype: 'variable_length_bytes',
        data,
        read: (place) => data[place] ?? null,
      });
    }
    case 'json': {
      const data = items.map(parseJsonValue);
      return createDense({ ...base, dtype: 'json', data, read: (place) => data[place] ?? null });
    }
  }
}

/** Flattens nested lists. @throws TransportError BAD_RESPONSE for lists that do not match the shape */
export function flatten(values: unknown, shape: readonly number[]): readonly unknown[] {
  let flat: readonly unknown[] = [values];
  for (const size of shape) {
    flat = flat.flatMap((list) => {
      if (isList(list) && list.length === size) return list;
      throw malformed(`lists of the shape ${JSON.stringify(shape)}`);
    });
  }
  return flat;
}

function parseText(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value;
  throw malformed('text');
}

function parseBytes(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  const text = parseText(value);
  if (text === null) return null;
  const bytes = parseBase64(text);
  if (bytes === undefined) throw malformed('base64');
  return bytes;
}

function parseJsonValue(value: unknown): JsonValue {
  if (isJson(value)) return value;
  throw malformed('JSON');
}

/** Values from a JSON parser contain only JSON, so that checking the outermost one suffices. */
function isJson(value: unknown): value is JsonValue {
  return (
    value === null ||
    ['string', 'number', 'boolean'].includes(typeof value) ||
    isList(value) ||
    isRecord(value)
  );
}

function malformed(expected: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed values in the response: expected ${expected}`);
}
