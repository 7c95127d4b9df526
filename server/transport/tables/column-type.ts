/** The data types of tables: which types are columns, and in which form. Shared by Arrow and Parquet. */
import { type DataType, isTime, UnsupportedError } from '../../zarr/index.js';
import { isFloatName, isIntegerName, type FloatName, type IntegerName } from '../../../wire/data-types.js';

export type ColumnType =
  | { readonly kind: 'integer'; readonly name: IntegerName }
  | { readonly kind: 'float'; readonly name: FloatName }
  | { readonly kind: 'bool' }
  | { readonly kind: 'text' }
  /** `factor` converts counts to the unit. */
  | {
      readonly kind: 'timestamp' | 'duration';
      readonly unit: 's' | 'ms' | 'us' | 'ns';
      readonly factor: bigint;
    };

const seconds: Readonly<Record<string, bigint>> = { D: 86_400n, h: 3600n, m: 60n };

/** @throws UnsupportedError for types that are no columns */
export function columnType(name: string, dtype: DataType): ColumnType {
  if (isFloatName(dtype.name)) return { kind: 'float', name: dtype.name };
  if (isIntegerName(dtype.name)) return { kind: 'integer', name: dtype.name };
  if (dtype.name === 'bool') return { kind: 'bool' };
  if (dtype.name === 'string' || dtype.name === 'fixed_length_utf32') return { kind: 'text' };
  if (isTime(dtype)) {
    const kind = dtype.name === 'numpy.datetime64' ? 'timestamp' : 'duration';
    const { unit } = dtype;
    const scale = BigInt(dtype.scale);
    if (unit === 's' || unit === 'ms' || unit === 'us' || unit === 'ns') return { kind, unit, factor: scale };
    const factor = seconds[unit];
    if (factor !== undefined) return { kind, unit: 's', factor: factor * scale };
  }
  throw new UnsupportedError(
    `"${name}" has values of type ${dtype.name}, which are no columns of a table; select a field, or leave it out`,
  );
}
