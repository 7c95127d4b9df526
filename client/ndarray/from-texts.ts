/** Text and byte strings of a fixed length, which travel as lists of their own. */
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
  /** Text or byte strings in C order, null where one is missing. */
  readonly items: readonly unknown[];
  readonly coordinates?: Coordinates | undefined;
}

/** Undefined for types that are neither. @throws TransportError BAD_RESPONSE for an item that is neither */
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

/** 1 where an item is null; undefined where none is. */
export function maskOf(items: readonly unknown[]): Uint8Array | undefined {
  return items.includes(null) ? Uint8Array.from(items, (item) => (item === null ? 1 : 0)) : undefined;
}

function parseText(item: unknown): string {
  if (item === null) return '';
  if (typeof item === 'string') return item;
  throw new TransportError('BAD_RESPONSE', 'the values that came are not text');
}

function parseBytes(item: unknown): Uint8Array {
  if (item === null) return new Uint8Array(0);
  if (item instanceof Uint8Array) return item;
  throw new TransportError('BAD_RESPONSE', 'the values that came are not byte strings');
}
