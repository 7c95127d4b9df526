/** Creates NDArrays of text and byte strings of a fixed length from lists. */
import { TransportError } from '../errors.js';
import { createDense } from './dense.js';
import { objectsOf } from './layout.js';
import type { ValueLayout } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { assertPackable, packBytes, packUtf32 } from './pack.js';
import { assertPresent } from './typed-arrays.js';

export interface TextBlock {
  readonly layout: ValueLayout;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** Text or byte strings in C order; null for a missing value. */
  readonly items: readonly unknown[];
  readonly coordinates?: Coordinates | undefined;
}

/** @returns undefined for other types. @throws TransportError BAD_RESPONSE for an item that does not match the type */
export function createFromTexts({
  layout,
  shape,
  dimensions,
  items,
  coordinates,
}: TextBlock): AnyNDArray | undefined {
  const { name, itemSize } = layout;
  if (objectsOf(layout) > 0) assertPackable(items.length, itemSize);
  const mask = maskOf(items);
  const base = { shape, dimensions, coordinates, mask };
  if (name === 'fixed_length_utf32') {
    const data = items.map(parseText);
    const read = assertPresent(mask, (place: number) => data[place] ?? '');
    return createDense({ ...base, dtype: name, data, read, bytes: () => packUtf32(data, itemSize) });
  }
  if (name !== 'null_terminated_bytes' && name !== 'raw_bytes' && name !== 'raw_bits') return undefined;
  const data = items.map(parseBytes);
  const read = assertPresent(mask, (place: number) => data[place] ?? new Uint8Array(0));
  return createDense({ ...base, dtype: name, data, read, bytes: () => packBytes(data, itemSize) });
}

/** 1 for each null; undefined if there are none. */
export function maskOf(items: readonly unknown[]): Uint8Array | undefined {
  return items.includes(null) ? Uint8Array.from(items, (item) => (item === null ? 1 : 0)) : undefined;
}

function parseText(item: unknown): string {
  if (item === null) return '';
  if (typeof item === 'string') return item;
  throw new TransportError('BAD_RESPONSE', 'malformed values in the response: expected text');
}

function parseBytes(item: unknown): Uint8Array {
  if (item === null) return new Uint8Array(0);
  if (item instanceof Uint8Array) return item;
  throw new TransportError('BAD_RESPONSE', 'malformed values in the response: expected byte strings');
}
