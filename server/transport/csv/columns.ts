/** Column names and cell text of CSV. */
import {
  type Block,
  type DataType,
  dataOf,
  formatDatetimes,
  sizeOf,
  type StructType,
  UnsupportedError,
} from '../../zarr/index.js';
import { isBlock } from '../block-part.js';
import { blockText } from '../json/block-text.js';
import { placeOf } from '../json/list-text.js';
import { structFieldBlock } from '../json/struct-field.js';
import { valueText } from '../json/value-text.js';

const NAT = -(2n ** 63n);
const MAX_COLUMNS = 10_000;

type Column = readonly string[];

/**
 * Quoted if it contains a separator, quote or line break. Empty text is always quoted, to distinguish it from
 * a missing value.
 */
export function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @throws UnsupportedError beyond 10,000 columns */
export function columnNames(dtype: DataType, name: string): string[] {
  const count = columnCount(dtype);
  if (count > MAX_COLUMNS)
    throw new UnsupportedError(
      `the CSV would have ${count} columns of values, more than ${MAX_COLUMNS}; choose a field`,
    );
  return dtype.name === 'struct' ? structNames(dtype, '') : namesOf(dtype, name);
}

function columnCount(dtype: DataType): number {
  if (dtype.name === 'struct')
    return dtype.fields.reduce((sum, field) => sum + columnCount(field.dtype) * sizeOf(field.shape), 0);
  return dtype.name === 'complex64' || dtype.name === 'complex128' ? 2 : 1;
}

function namesOf(dtype: DataType, name: string): string[] {
  if (dtype.name === 'struct') return structNames(dtype, `${name}.`);
  if (dtype.name === 'complex64' || dtype.name === 'complex128') return [`${name}.real`, `${name}.imag`];
  return [name];
}

function structNames(dtype: StructType, prefix: string): string[] {
  return dtype.fields.flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (field.shape.length === 0) return namesOf(field.dtype, name);
    return Array.from({ length: sizeOf(field.shape) }, (_, i) => placeOf(i, field.shape)).flatMap((place) =>
      namesOf(field.dtype, `${name}[${place.join(',')}]`),
    );
  });
}

/**
 * The cells of all columns, one list per column, in the order of `columnNames`. @param block of one dimension
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
  if (dtype.name === 'complex64' || dtype.name === 'complex128') {
    const cells = Array.from(dataOf(block, dtype.name), floatCell);
    return unfold([cells], 2);
  }
  return [cellsOf(block)];
}

/** Splits columns with `width` elements per row into that many columns each. */
function unfold(columns: readonly Column[], width: number): Column[] {
  return Array.from({ length: width }, (_, place) =>
    columns.map((cells) =>
      Array.from({ length: cells.length / width }, (_row, row) => cells[row * width + place] ?? ''),
    ),
  ).flat();
}

function floatCell(value: number): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** Missing items become empty cells. */
function itemCells<T>(items: readonly (T | null)[], textOf: (item: T) => string): Column {
  return items.map((item) => (item === null ? '' : quoted(textOf(item))));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function cellsOf(block: Block): Column {
  const { dtype } = block;
  switch (dtype.name) {
    case 'bool':
      return Array.from(dataOf(block, dtype.name), (value) => (value === 0 ? 'false' : 'true'));
    case 'int8':
    case 'int16':
    case 'int32':
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return Array.from(dataOf(block, dtype.name), String);
    case 'int64':
    case 'uint64':
      return Array.from(dataOf(block, dtype.name), String);
    case 'float16':
    case 'float32':
    case 'float64':
      return Array.from(dataOf(block, dtype.name), floatCell);
    case 'numpy.datetime64':
      return itemCells(formatDatetimes(dataOf(block, dtype.name), dtype), (text) => text);
    case 'numpy.timedelta64':
      return Array.from(dataOf(block, dtype.name), (count) => (count === NAT ? '' : String(count)));
    case 'null_terminated_bytes': {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return itemCells(dataOf(block, dtype.name), (bytes) => decoder.decode(bytes));
    }
    case 'raw_bytes':
    case 'raw_bits':
      return itemCells(dataOf(block, dtype.name), base64);
    case 'variable_length_bytes':
      return itemCells(dataOf(block, dtype.name), base64);
    case 'fixed_length_utf32':
      return itemCells(dataOf(block, dtype.name), (text) => text);
    case 'string':
      return itemCells(dataOf(block, dtype.name), (text) => text);
    case 'json':
      return itemCells<unknown>(dataOf(block, dtype.name), valueText);
    case 'ragged':
      return itemCells<unknown>(dataOf(block, dtype.name), (item) =>
        isBlock(item) ? [...blockText(item, 'STRING')].join('') : valueText(item),
      );
    case 'complex64':
    case 'complex128':
    case 'struct':
      throw new UnsupportedError(`values of type ${dtype.name} do not fit in one column`);
  }
}
