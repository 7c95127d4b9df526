/** Types of variable length, which travel as nested lists (the scalar NDArray in JSON). */
import { TransportError } from '../errors.js';
import { isList, isRecord } from '../json.js';
import type { JsonValue } from '../json.js';
import { base64Length, decodeBase64 } from '../transport/base64.js';
import { createDense } from './dense.js';
import type { VariableName } from './layout.js';
import type { AnyNDArray } from './ndarray.js';

export interface ListBlock {
  readonly name: VariableName;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** Nested as the shape says; a bare value where it is empty. */
  readonly values: unknown;
}

/** @throws TransportError BAD_RESPONSE where the lists are not of that shape or the values not of that type */
export function createFromLists({ name, shape, dimensions, values }: ListBlock): AnyNDArray {
  const base = { shape, dimensions };
  const flat = flatten(values, shape);
  switch (name) {
    case 'string': {
      const data = flat.map(parseText);
      return createDense({ ...base, dtype: 'string', data, read: (place) => data[place] ?? null });
    }
    case 'variable_length_bytes': {
      const data = flat.map(parseBytes);
      return createDense({
        ...base,
        dtype: 'variable_length_bytes',
        data,
        read: (place) => data[place] ?? null,
      });
    }
    case 'json': {
      const data = flat.map(parseJsonValue);
      return createDense({ ...base, dtype: 'json', data, read: (place) => data[place] ?? null });
    }
  }
}

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

function parseText(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value;
  throw malformed('text');
}

function parseBytes(value: unknown): Uint8Array | null {
  const text = parseText(value);
  return text === null ? null : decodeBase64(text, base64Length(text));
}

function parseJsonValue(value: unknown): JsonValue {
  if (isJson(value)) return value;
  throw malformed('JSON');
}

/** What JSON.parse made is JSON; only the outermost value needs a look. */
function isJson(value: unknown): value is JsonValue {
  return (
    value === null ||
    ['string', 'number', 'boolean'].includes(typeof value) ||
    isList(value) ||
    isRecord(value)
  );
}

function malformed(expected: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the values that came are not ${expected}`);
}
