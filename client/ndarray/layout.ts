/** How values of each data type lie in bytes. */
import { isFixedBytesName, isNumberName, isTimeName } from '../../wire/data-types.js';
import type { FixedSizeType } from '../../wire/numpy-type.js';
import { TransportError } from '../errors.js';
import type { DTypeName } from './ndarray.js';
import { sizeOf } from './shape.js';

export type VariableName = 'string' | 'variable_length_bytes' | 'json';

/** How the bytes of one value are laid out: little-endian, structs packed. */
export type ValueLayout =
  | FixedSizeType
  | { readonly name: 'struct'; readonly itemSize: number; readonly fields: readonly FieldLayout[] };

export interface FieldLayout {
  readonly name: string;
  /** Bytes from the beginning of the struct. */
  readonly offset: number;
  readonly layout: ValueLayout;
  /** Of a sub-array field; empty for a plain one. */
  readonly shape: readonly number[];
}

/**
 * How many JavaScript objects are made for one value: 0 where a typed array holds it, or where the parser made it. Items
 * of size 0 count as one, which bounds them.
 */
export function objectsOf(layout: ValueLayout | undefined): number {
  if (layout === undefined) return 0;
  if (layout.itemSize === 0) return 1;
  if (layout.name === 'struct')
    return layout.fields.reduce((sum, field) => sum + objectsOf(field.layout) * sizeOf(field.shape), 0);
  return isFixedBytesName(layout.name) ? 1 : 0;
}

/**
 * Packed structs. @throws TransportError BAD_RESPONSE where an item is larger than a typed array may be
 */
export function packedStruct(fields: readonly Omit<FieldLayout, 'offset'>[]): ValueLayout {
  let offset = 0;
  const placed = fields.map((field) => {
    const at = offset;
    offset += field.layout.itemSize * sizeOf(field.shape);
    return { ...field, offset: at };
  });
  if (offset <= maxItemBytes) return { name: 'struct', itemSize: offset, fields: placed };
  throw new TransportError('BAD_RESPONSE', `the gateway gave a struct of ${offset} bytes`);
}

/** More than any answer holds. */
const maxItemBytes = 2 ** 31;

export function isDTypeName(name: string): name is DTypeName {
  return (
    isNumberName(name) ||
    isTimeName(name) ||
    isFixedBytesName(name) ||
    name === 'struct' ||
    isVariableName(name)
  );
}

export function isVariableName(name: string): name is VariableName {
  return name === 'string' || name === 'variable_length_bytes' || name === 'json';
}
