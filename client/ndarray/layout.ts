/** Memory layout of the data types. */
import { type NumberArrayType, isFixedBytesName, isNumberName, isTimeName } from '../../wire/data-types.js';
import type { SizedType } from '../../wire/numpy-type.js';
import { TransportError, InputError } from '../errors.js';
import type { DTypeName } from './ndarray.js';
import { sizeOf } from './shape.js';

export type VariableName = 'string' | 'variable_length_bytes' | 'json';

/** Layout of one value: little-endian, structs packed. */
export type ValueLayout =
  SizedType | { readonly name: 'struct'; readonly itemSize: number; readonly fields: readonly FieldLayout[] };

export interface FieldLayout {
  readonly name: string;
  /** Offset in bytes from the start of the struct. */
  readonly offset: number;
  readonly layout: ValueLayout;
  /** Shape of a sub-array field; empty for a plain field. */
  readonly shape: readonly number[];
}

/**
 * Number of JavaScript objects to create per value: 0 if the value is in a typed array or the parser has
 * created it. Items of size 0 count as 1, so that their number is also bounded.
 */
export function objectsOf(layout: ValueLayout | undefined): number {
  if (layout === undefined) return 0;
  if (layout.itemSize === 0) return 1;
  if (layout.name === 'struct')
    return layout.fields.reduce((sum, field) => sum + objectsOf(field.layout) * sizeOf(field.shape), 0);
  return isFixedBytesName(layout.name) ? 1 : 0;
}

/**
 * Layout of a packed struct.
 * @throws TransportError BAD_RESPONSE for an element that is too large
 */
export function packedStruct(fields: readonly Omit<FieldLayout, 'offset'>[]): ValueLayout {
  let offset = 0;
  const placed = fields.map((field) => {
    const at = offset;
    offset += field.layout.itemSize * sizeOf(field.shape);
    return { ...field, offset: at };
  });
  if (offset <= MAX_ITEM_BYTES) return { name: 'struct', itemSize: offset, fields: placed };
  throw new TransportError('BAD_RESPONSE', `unsupported struct of ${offset} bytes in the response`);
}

/** Maximum element size in bytes. */
const MAX_ITEM_BYTES = 2 ** 31;

export function isDTypeName(name: string): name is DTypeName {
  return (
    isNumberName(name) ||
    isTimeName(name) ||
    isFixedBytesName(name) ||
    name === 'struct' ||
    isVariableName(name)
  );
}

function isVariableName(name: string): name is VariableName {
  return name === 'string' || name === 'variable_length_bytes' || name === 'json';
}

/** @returns a function that creates a view of bytes; their offset must be aligned to the elements of the view */
export function viewAs<T>(View: NumberArrayType<T>): (bytes: Uint8Array<ArrayBuffer>) => T {
  return ({ buffer, byteOffset, length }) => new View(buffer, byteOffset, length / View.BYTES_PER_ELEMENT);
}

/** For types without NaN and null. @returns a function that reads a value, and throws an InputError if it is missing */
export function assertPresent<T>(mask: Uint8Array | undefined, read: (at: number) => T): (at: number) => T {
  if (mask === undefined) return read;
  return (at) => {
    if (mask[at] === 1)
      throw new InputError(
        'BAD_INPUT',
        `the value at position ${at} is missing; check "mask" before reading values`,
      );
    return read(at);
  };
}

/** A mask with 1 for each null; undefined if there are none. */
export function maskOf(items: readonly unknown[]): Uint8Array | undefined {
  return items.includes(null) ? Uint8Array.from(items, (item) => (item === null ? 1 : 0)) : undefined;
}
