/** How values of each data type lie in bytes. */
import { TransportError } from '../errors.js';
import type { DTypeName, TimeUnit } from './ndarray.js';
import { sizeOf } from './shape.js';

/** Names of types whose values all take the same number of bytes, structs aside. */
export type FixedName = Exclude<DTypeName, 'struct' | VariableName>;
export type VariableName = 'string' | 'variable_length_bytes' | 'json';
export type TimeName = 'numpy.datetime64' | 'numpy.timedelta64';

/** How the bytes of one value are laid out: little-endian, structs packed. */
export type ValueLayout =
  | { readonly name: Exclude<FixedName, TimeName>; readonly itemSize: number }
  | { readonly name: TimeName; readonly itemSize: 8; readonly unit: TimeUnit; readonly scale: number }
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
  switch (layout.name) {
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'raw_bytes':
    case 'raw_bits':
      return 1;
    case 'struct':
      return layout.fields.reduce((sum, field) => sum + objectsOf(field.layout) * sizeOf(field.shape), 0);
    default:
      return 0;
  }
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

const names: Readonly<Record<DTypeName, true>> = {
  bool: true, int8: true, int16: true, int32: true, int64: true, uint8: true, uint16: true, uint32: true,
  uint64: true, float16: true, float32: true, float64: true, complex64: true, complex128: true,
  'numpy.datetime64': true, 'numpy.timedelta64': true, null_terminated_bytes: true, fixed_length_utf32: true,
  raw_bytes: true, raw_bits: true, struct: true, string: true, variable_length_bytes: true, json: true,
}; // prettier-ignore

export function isDTypeName(name: string): name is DTypeName {
  return Object.hasOwn(names, name);
}
