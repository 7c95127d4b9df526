/** The columns of values in a CSV: their names, and their cells. */
import { type Block, type DataType, sizeOf, type StructType, UnsupportedError } from '../../zarr/index.js';
import { itemText } from '../json/block-text.js';
import { indicesAt } from '../c-order.js';
import { structFieldBlock } from '../json/struct-field.js';
import { wireRow } from '../values/wire-rows.js';
import { type Column, unfold } from './cells.js';

const MAX_COLUMNS = 10_000;

/** @throws UnsupportedError beyond 10,000 columns */
export function columnNames(dtype: DataType, name: string): string[] {
  const count = columnCount(dtype);
  if (count > MAX_COLUMNS)
    throw new UnsupportedError(
      `the CSV would have ${count} columns of values; at most ${MAX_COLUMNS} are allowed: select a field`,
    );
  return dtype.name === 'struct' ? structNames(dtype, '') : namesOf(dtype, name);
}

function columnCount(dtype: DataType): number {
  if (dtype.name === 'struct')
    return dtype.fields.reduce((sum, field) => sum + columnCount(field.dtype) * sizeOf(field.shape), 0);
  return wireRow(dtype.name)?.csvSuffixes?.length ?? 1;
}

function namesOf(dtype: DataType, name: string): string[] {
  if (dtype.name === 'struct') return structNames(dtype, `${name}.`);
  return wireRow(dtype.name)?.csvSuffixes?.map((suffix) => `${name}${suffix}`) ?? [name];
}

function structNames(dtype: StructType, prefix: string): string[] {
  return dtype.fields.flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (field.shape.length === 0) return namesOf(field.dtype, name);
    return Array.from({ length: sizeOf(field.shape) }, (_, i) => indicesAt(i, field.shape)).flatMap((place) =>
      namesOf(field.dtype, `${name}[${place.join(',')}]`),
    );
  });
}

/**
 * The cells of all columns, one list per column, in the order of `columnNames`.
 * @param block of one dimension
 */
export function columnsOf(block: Block): readonly Column[] {
  const { dtype } = block;
  if ('bytes' in block && dtype.name === 'struct')
    return dtype.fields.flatMap((field) => {
      const values = structFieldBlock(block, field);
      const flat = columnsOf({ ...values, shape: [sizeOf(values.shape)] });
      const width = sizeOf(field.shape);
      return field.shape.length === 0 ? flat : unfold(flat, width);
    });
  return wireRow(dtype.name)?.csv(block, (item) => itemText(item, 'STRING')) ?? [];
}
