/** How values of each data type lie in bytes. */
import type { DTypeName, TimeUnit } from './ndarray.js';

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

const names: Readonly<Record<DTypeName, true>> = {
  bool: true, int8: true, int16: true, int32: true, int64: true, uint8: true, uint16: true, uint32: true,
  uint64: true, float16: true, float32: true, float64: true, complex64: true, complex128: true,
  'numpy.datetime64': true, 'numpy.timedelta64': true, null_terminated_bytes: true, fixed_length_utf32: true,
  raw_bytes: true, raw_bits: true, struct: true, string: true, variable_length_bytes: true, json: true,
}; // prettier-ignore

export function isDTypeName(name: string): name is DTypeName {
  return Object.hasOwn(names, name);
}
